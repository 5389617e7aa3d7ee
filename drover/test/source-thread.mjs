// A thread that runs out of the sources: Node.js 20 does not load the hooks of `--import` into threads.
import { workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
await import(workerData);
