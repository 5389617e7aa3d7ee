import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import { block, dnsLabel, duration, source, text } from "./scalars.ts";

const chart = z.strictObject({
  repository: describe(source, "Address of the chart repository, or a path among the artifacts.").optional(),
  name: describe(text(253, /^[a-z0-9][a-z0-9._-]*$/, "chart"), "Name of the chart."),
  version: describe(text(64, /^[A-Za-z0-9][A-Za-z0-9.+-]*$/, "chart-version"), "Version of the chart."),
  values: describe(block(65_536), "Values, as YAML.", { form: { widget: "textarea" } }).optional(),
});

/** Something installed into the cluster after it was made. Add-ons are installed in the order they are listed. */
export const addon = z
  .strictObject({
    name: describe(dnsLabel, "Name of the add-on."),
    namespace: describe(dnsLabel, "Namespace it goes into, made if it is missing.").optional(),
    manifest: describe(source, "URL of a manifest, or its path among the artifacts.").optional(),
    chart: describe(chart, "A Helm chart.").optional(),
    wait: describe(defaulted("spec.addons[].wait", z.boolean()), "Go on only once it is healthy."),
    timeout: describe(duration, "How long to wait for that.").optional(),
  })
  .meta({ cel: [{ rule: "has(self.manifest) != has(self.chart)", message: "give either a manifest or a chart" }] });
