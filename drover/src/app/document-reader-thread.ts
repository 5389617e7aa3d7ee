import { parentPort } from "node:worker_threads";
import { readDocuments } from "./read-documents.ts";

parentPort?.on("message", ({ id, text }: { id: number; text: string }) => {
  parentPort?.postMessage({ id, result: readDocuments(text) });
});
