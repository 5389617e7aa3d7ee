import { DroverError } from "@drover/contract";
import type { Step, StepContext } from "../../../ports/step.ts";
import { k3dPart } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { runK3d } from "../run-k3d.ts";

/** What was loaded stands in the mark of the cluster, since nodes cannot be asked cheaply. */
export function loadK3dImages(host: K3dHost): Step {
  return {
    name: "load-k3d-images",
    precheck: async (context) => (await missingImages(host, context)).length === 0,
    run: (context) => {
      const text = `Load ${imagesOf(context).join(", ")} into the nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, () => load(host, context));
    },
  };
}

const imagesOf = ({ cluster }: StepContext): readonly string[] => k3dPart(cluster.spec).preloadImages ?? [];

async function missingImages(host: K3dHost, context: StepContext): Promise<readonly string[]> {
  const mark = await host.mark(await host.see(context.cluster, context.signal), context.signal);
  return imagesOf(context).filter((image) => mark === null || !mark.images.includes(image));
}

async function load(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const images = await missingImages(host, context);
  await assertOnHost(host, images, signal);
  const end = await runK3d(context, host.parts.settings, ["image", "import", ...images, "--cluster", cluster.name]);
  if (!end.ok || end.errors.length > 0) throw await explainFailure(host, context, "Loading images", end);
  const seen = await host.see(cluster, signal);
  const mark = await host.mark(seen, signal);
  const loaded = [...new Set([...(mark?.images ?? []), ...images])];
  await host.writeMark(seen, { stage: mark?.stage ?? "made", images: loaded }, signal);
}

/** k3d only warns about those that are not there, and is content with the others. */
async function assertOnHost(host: K3dHost, images: readonly string[], signal: AbortSignal): Promise<void> {
  const known = new Set(await host.parts.engine.listImages(signal));
  const missing = images.filter((image) => !known.has(image) && !known.has(`${image}:latest`));
  if (missing.length === 0) return;
  throw new DroverError(
    "image-missing",
    `Docker on this machine does not have ${missing.join(", ")} (spec.k3d.preloadImages). Get it with \`docker pull\`, then retry.`,
    { details: { images: missing } },
  );
}
