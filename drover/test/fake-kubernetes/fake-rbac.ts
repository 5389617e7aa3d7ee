import { listAt, textAt } from "../../src/domain/json-fields.ts";
import type { FakeObjects } from "./fake-objects.ts";

const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";

/** As much of role-based access as grants need: what a service account may do through its cluster roles. */
export function isAllowed(objects: FakeObjects, account: string, method: string, path: string): boolean {
  const rolesOf = objects.paths
    .filter((at) => at.startsWith(BINDINGS))
    .map((at) => objects.find(at))
    .filter((binding) => listAt(binding, "subjects").some((subject) => pathOfSubject(subject) === account))
    .map((binding) => textAt(binding, "roleRef", "name") ?? "");
  const asked = resourceOf(path);
  const verbs = method === "GET" ? ["get", "list"] : method === "DELETE" ? ["delete"] : ["create", "patch"];
  return rolesOf.some((role) => {
    if (role === "view") return method === "GET" && asked.namespaced && asked.resource !== "secrets";
    if (role === "edit") return asked.namespaced;
    return listAt(objects.find(`${ROLES}${role}`), "rules").some(
      (rule) =>
        hasOne(rule["apiGroups"], [asked.group]) &&
        hasOne(rule["resources"], [asked.resource]) &&
        hasOne(rule["verbs"], verbs),
    );
  });
}

const pathOfSubject = (subject: unknown): string =>
  `/api/v1/namespaces/${textAt(subject, "namespace")}/serviceaccounts/${textAt(subject, "name")}`;

const hasOne = (list: unknown, wanted: readonly string[]): boolean =>
  Array.isArray(list) && wanted.some((one) => list.includes(one));

/** Pods of all namespaces are asked for without one. */
function resourceOf(path: string): { readonly group: string; readonly resource: string; readonly namespaced: boolean } {
  const parts = path.split("/").filter((part) => part !== "");
  const [group, rest] = parts[0] === "api" ? ["", parts.slice(2)] : [parts[1] ?? "", parts.slice(3)];
  const inside = rest[0] === "namespaces" && rest.length > 2;
  const resource = (inside ? rest[2] : rest[0]) ?? "";
  return { group, resource, namespaced: inside || resource === "pods" };
}
