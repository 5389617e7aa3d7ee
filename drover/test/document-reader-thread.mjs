// The thread out of the sources: Node.js 20 does not load the hooks of `--import` into threads.
import { register } from "tsx/esm/api";

register();
await import("../src/app/document-reader-thread.ts");
