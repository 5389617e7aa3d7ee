import { type ErrorKind, errorKind } from "./error-kind.ts";

/** What can be wrong with a request before anything of the store is asked. */
export const REQUEST_ERRORS = {
  "route-not-found": errorKind(404, "There is nothing under this address", false, "Check the address and the method."),
  "method-not-allowed": errorKind(
    405,
    "The address does not know this method",
    false,
    "Use one of the methods that the header Allow names.",
  ),
  "request-invalid": errorKind(
    400,
    "The request cannot be read",
    false,
    "Correct the request; the detail says what is wrong with it.",
  ),
  "media-type-unsupported": errorKind(
    415,
    "The body has a type that is not read here",
    false,
    "Send application/json, or application/yaml where a document is expected.",
  ),
  "document-unparsable": errorKind(
    400,
    "The document is neither YAML nor JSON",
    false,
    "Correct the line that is named; an editor with YAML support shows it.",
  ),
  "document-too-large": errorKind(
    413,
    "The document is larger than Drover reads",
    false,
    "Make it smaller, or split it into several requests.",
  ),
  "validation-failed": errorKind(
    422,
    "The document is not valid",
    false,
    "Correct every problem that is listed; each names its place and the next move.",
  ),
  "precondition-required": errorKind(
    428,
    "The change does not say what it is based on",
    false,
    "Read the object, and send its ETag as If-Match.",
  ),
  "reason-required": errorKind(
    422,
    "The change does not say why",
    false,
    "Send a reason with it; administrators of this Drover want one for every change.",
  ),
  "rate-limited": errorKind(
    429,
    "Too many requests",
    true,
    "Wait as long as the header Retry-After says, then try again.",
  ),
  "host-refused": errorKind(
    421,
    "Drover does not answer under this name",
    false,
    "Use the address that Drover printed at its start, or add the name to the option allowedHosts.",
  ),
  "origin-refused": errorKind(
    403,
    "The request comes from another site",
    false,
    "Open Drover under its own address; pages of other sites may not speak for you.",
  ),
  "internal-error": errorKind(
    500,
    "Drover met an error that it did not expect",
    true,
    "Look for the request id in Drover's log, and report what you find there.",
  ),
} as const satisfies Record<string, ErrorKind>;
