import { explained } from "../../../containers/explain-steps.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { kindPart } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { KindHost } from "../host.ts";
import { runKind } from "../run-kind.ts";
import { findMarked, requireMarked } from "./seen-cluster.ts";

const wantedImages = ({ cluster }: StepContext): readonly string[] => kindPart(cluster.spec).preloadImages ?? [];

/** Loads images of the host's Docker into every node. Which ones were loaded is noted in the mark of the cluster. */
export function loadKindImages(host: KindHost): Step {
  return explained({
    name: "load-kind-images",
    precheck: async (context) => {
      const loaded = (await findMarked(host, context))?.mark.images ?? [];
      return wantedImages(context).every((image) => loaded.includes(image));
    },
    run: (context) => {
      const images = wantedImages(context);
      const text = `Load ${images.join(", ")} into the nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const end = await runKind(context, host.parts.settings, ["load", "docker-image", ...images]);
        if (!end.ok) throw explainFailure("Loading images", end);
        const { seen, mark } = await requireMarked(host, context);
        await host.marks.write(seen.controlPlanes, { ...mark, images }, context.signal);
      });
    },
  });
}
