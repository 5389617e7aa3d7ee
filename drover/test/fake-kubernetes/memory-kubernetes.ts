import { type KubernetesApi, KubernetesError, NO_KUBERNETES } from "../../src/ports/kubernetes-api.ts";
import type { FakeObjects } from "./fake-objects.ts";

/** The objects of a fake API without a network in between: for steps that take minutes of a time that is not real. */
export function memoryKubernetes(objects: FakeObjects): KubernetesApi {
  const ask = (method: string, path: string, body?: unknown): unknown => {
    const { pathname, searchParams } = new URL(path, "https://memory");
    const { status, body: answer } = objects.handle(method, pathname, searchParams, body);
    if (status === 404 && method !== "POST") return null;
    if (status < 300) return answer;
    throw new KubernetesError("refused", (answer as { message: string }).message, status);
  };
  return {
    ...NO_KUBERNETES,
    get: async (_, path) => ask("GET", path),
    patch: async (_, path, body, { apply = false }) => ask("PATCH", apply ? `${path}?force=true` : path, body),
    post: async (_, path, body) => ask("POST", path, body),
    delete: async (_, path) => ask("DELETE", path) !== null,
  };
}
