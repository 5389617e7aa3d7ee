import { DroverError } from "@drover/contract";
import { explainDocker } from "../../containers/explain-failure.ts";
import type { ToolEnd } from "../../containers/run-tool.ts";

const PULL = /failed to pull image "([^"]+)"/;
const NOT_THERE = /image: "([^"]+)" not present locally/;
const COMMAND_OUTPUT = /Command Output: ([\s\S]*)$/;
const ERROR = /^ERROR: (?:failed to \w+ cluster: )?(.*)$/m;
/** The entrypoint of the nodes waits for systemd, which needs more of the kernel than some hosts give. */
const NO_SYSTEMD = /could not find a (?:log )?line that matches "Reached target/;
const KUBEADM = /\[ERROR [^\]]+\]: .*|error execution phase .*|^error: .*/gm;

/** Typed where the cause is known: the cause first, then the next move. */
export function explainFailure(what: string, { stderr, exitCode }: ToolEnd): DroverError {
  const [, image] = PULL.exec(stderr) ?? [];
  if (image !== undefined) return new DroverError("image-missing", describePull(image, stderr));
  const [, absent] = NOT_THERE.exec(stderr) ?? [];
  if (absent !== undefined) {
    return new DroverError(
      "image-missing",
      `The image ${absent} is not in Docker. Get it there with \`docker pull ${absent}\`.`,
    );
  }
  const known = explainDocker(stderr);
  if (known !== null) return known;
  if (NO_SYSTEMD.test(stderr)) return new DroverError("step-failed", NO_SYSTEMD_HELP);
  const cause = stderr.match(KUBEADM)?.at(-1) ?? ERROR.exec(stderr)?.[1] ?? lastLine(stderr);
  return new DroverError("step-failed", `${what} failed: ${cause || `kind ended with exit code ${exitCode}`}`);
}

const NO_SYSTEMD_HELP =
  "The nodes do not come up: too few inotify watches or a control group setup that kind cannot use. Run `drover doctor` on the host of the worker, and set fs.inotify.max_user_watches=524288 and fs.inotify.max_user_instances=512 there.";

function describePull(image: string, stderr: string): string {
  const why = lastLine(COMMAND_OUTPUT.exec(stderr)?.[1] ?? "").replace(/^Error response from daemon: /, "");
  const reason = why === "" ? "" : `: ${why.replace(/\.$/, "")}`;
  return `The image ${image} is not in Docker and cannot be pulled${reason}. Load it with \`docker load\`, or declare another image or version.`;
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim() ?? "";
