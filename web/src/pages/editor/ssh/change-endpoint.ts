import { setField } from "../../../components/yaml/yaml-document.ts";
import { readAt } from "../read-at.ts";

export const ENDPOINT = "spec.ssh.endpoint";
export const ENDPOINT_TYPES = ["node", "given", "haproxy", "kube-vip"] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

/** Where API servers listen, and what an endpoint has that names no port. */
export const API_SERVER_PORT = 6443;
/** HAProxy runs beside the API servers, and needs a port of its own. */
const HAPROXY_PORT = 8443;

const OF_K3S: readonly EndpointType[] = ["node", "given"];

/** What can be chosen, and what the document says although it cannot. */
export const offerEndpoints = (distribution: string, now: EndpointType): readonly EndpointType[] =>
  distribution === "k3s" ? ENDPOINT_TYPES.filter((one) => one === now || OF_K3S.includes(one)) : ENDPOINT_TYPES;

export const hasVirtualIp = (type: EndpointType): boolean => type === "haproxy" || type === "kube-vip";
export const hasOwnPort = (type: EndpointType): boolean => type === "haproxy" || type === "given";

/** Each type has its own address and port, and refuses those of the others. */
export function changeEndpoint(text: string, value: unknown, next: EndpointType): string {
  const port = readAt(value, `${ENDPOINT}.port`);
  const fields: readonly (readonly [string, unknown])[] = [
    ["type", next === "node" ? undefined : next],
    ...(next === "given" ? [] : [["host", undefined] as const]),
    ...(hasVirtualIp(next) ? [] : [["virtualIp", undefined] as const]),
    ...(hasOwnPort(next) ? [] : [["port", undefined] as const]),
    ...(next === "haproxy" && (port == null || port === API_SERVER_PORT) ? [["port", HAPROXY_PORT] as const] : []),
  ];
  return fields.reduce((now, [field, said]) => setField(now, `${ENDPOINT}.${field}`, said), text);
}
