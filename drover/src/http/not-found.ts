import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problem.ts";

/** What is not there is told from what is there but is not asked in that way. */
export function addNotFound(app: FastifyInstance): void {
  const methodsByPath = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    const known = methodsByPath.get(url) ?? { pattern: toPattern(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    methodsByPath.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const known = [...methodsByPath.values()].find(({ pattern }) => pattern.test(path));
    if (known === undefined || known.methods.has(request.method)) return sendProblem(request, reply, "route-not-found");
    const allow = [...known.methods].sort().join(", ");
    return sendProblem(request, reply.header("allow", allow), "method-not-allowed", {
      detail: `Allowed are: ${allow}.`,
    });
  });
}

const toPattern = (url: string) =>
  new RegExp(`^${url.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
