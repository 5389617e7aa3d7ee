import { DroverError, makeProblem } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { findDuplicateKeys } from "../lib/find-duplicate-keys.ts";

const JSON_TYPE = "application/json";
const YAML_TYPES = ["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"];

/** Bodies stay text until it is known what they are meant to be: a document keeps its lines, the rest becomes data. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of [JSON_TYPE, ...YAML_TYPES]) {
    app.addContentTypeParser(type, { parseAs: "string" }, (_request, body, done) => {
      done(null, body);
    });
  }
}

/** The data of a JSON body; undefined when there is none. */
export function readJsonBody(contentType: string | undefined, text: unknown): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  if (contentType?.split(";", 1)[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw new DroverError("media-type-unsupported", `This address reads ${JSON_TYPE} only.`);
  }
  const data = parse(text);
  const [duplicate] = findDuplicateKeys(text);
  if (duplicate === undefined) return data;
  const shown = JSON.stringify(duplicate.slice(0, 60));
  throw new DroverError("request-invalid", `The key ${shown} occurs twice in one object.`, {
    problems: [makeProblem("body", "duplicate-key", `The key ${shown} occurs twice in one object.`)],
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DroverError("request-invalid", `The body is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}
