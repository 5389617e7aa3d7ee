import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { addMetaRoutes } from "./meta.ts";

/** Every address of the API: one line for each table of the contract. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  addMetaRoutes(app, parts);
}
