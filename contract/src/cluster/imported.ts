import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import { line, secretReference } from "./scalars.ts";

/** What a kubeconfig may do on the machine that reads it. Everything is refused unless allowed here. */
export const importAllowance = z.strictObject({
  exec: describe(z.boolean(), "Run the credential program that the kubeconfig names.").optional(),
  authProvider: describe(z.boolean(), "Use the authentication provider that the kubeconfig names.").optional(),
  files: describe(z.boolean(), "Read keys and certificates from the paths that the kubeconfig names.").optional(),
  proxy: describe(z.boolean(), "Go through the proxy that the kubeconfig names.").optional(),
  insecureTls: describe(z.boolean(), "Accept a certificate that cannot be verified.").optional(),
});

/** A cluster that others made, known by its kubeconfig. */
export const imported = z.strictObject({
  kubeconfig: describe(secretReference, "The kubeconfig."),
  context: describe(line(253), "Context to use; the current one when left out.").optional(),
  locked: describe(
    defaulted("spec.imported.locked", z.boolean()),
    "Observe only. Adopting the cluster turns this off.",
  ),
  allow: describe(importAllowance, "Dangerous parts of the kubeconfig that are accepted.", {
    form: { advanced: true },
  }).optional(),
});
