import type { Step } from "../../../ports/step.ts";
import { isReadable } from "../artifact-source.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { neededArtifacts } from "../needed-artifacts.ts";

/**
 * Everything that would be sent is on the worker's machine and is what its checksum says; otherwise nothing is sent at
 * all. What lies elsewhere is fetched here.
 */
export function checkSshArtifacts(host: SshHost): Step {
  return {
    name: "check-ssh-artifacts",
    precheck: async (context) => {
      if (!(await isReadable(host, context))) return false;
      const { artifacts, files } = await neededArtifacts(host, context);
      return await artifacts.areHere(files);
    },
    run: async (context) => {
      const { source } = sshPart(context.cluster.spec).artifacts ?? {};
      // Of a folder, what is wanting has thrown: there is nothing that this step could mend.
      if (source === undefined || source === "directory") return;
      await context.change(context.step.host, "Fetch the artifacts that are not here yet", async () => {
        const { artifacts, files } = await neededArtifacts(host, context);
        await artifacts.fetch(files);
        context.log(`${files.length} files of ${artifacts.place} are here.`);
      });
    },
  };
}
