import { DroverError } from "@drover/contract";
import type { Step, StepContext } from "../../../ports/step.ts";
import { SYSTEM } from "../clear-away.ts";
import { k3dPart } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { runK3d } from "../run-k3d.ts";

/** What of Docker's images was loaded into which nodes is remembered in the ledger: a node cannot be asked cheaply. */
export function loadK3dImages(host: K3dHost): Step {
  return {
    name: "load-k3d-images",
    precheck: async (context) => (await missingLoads(host, context)).length === 0,
    run: (context) => {
      const text = `Load ${imagesOf(context).join(", ")} into the nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, () => load(host, context));
    },
  };
}

const KIND = "image";
const imagesOf = ({ cluster }: StepContext): readonly string[] => k3dPart(cluster.spec).preloadImages ?? [];

/** One reference for each image in each node: those that were not loaded yet. By the id of the container, as a node that was made anew has none. */
async function missingLoads(host: K3dHost, context: StepContext): Promise<readonly { image: string; ref: string }[]> {
  const { cluster, ledger, signal } = context;
  const { servers, agents } = await host.see(cluster, signal);
  const rows = await ledger.list();
  const loaded = new Set(
    rows
      .filter(({ system, kind, state }) => system === SYSTEM && kind === KIND && state === "present")
      .map(({ ref }) => ref),
  );
  return [...servers, ...agents]
    .flatMap(({ container }) =>
      imagesOf(context).map((image) => ({ image, ref: `${container.id.slice(0, 12)} ${image}` })),
    )
    .filter(({ ref }) => !loaded.has(ref));
}

async function load(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, ledger, signal } = context;
  const missing = await missingLoads(host, context);
  const images = [...new Set(missing.map(({ image }) => image))];
  await assertOnHost(host, images, signal);
  const rows = await Promise.all(missing.map(({ ref }) => ledger.intend({ system: SYSTEM, kind: KIND, ref })));
  const end = await runK3d(context, host.parts.settings, ["image", "import", ...images, "--cluster", cluster.name]);
  if (!end.ok || end.errors.length > 0) throw await explainFailure(host, context, "Loading images", end);
  for (const { id } of rows) await ledger.present(id);
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
