import { describe, expect, it } from "vitest";
import { readDocument } from "../../../components/yaml/yaml-document.ts";
import { readAt } from "../read-at.ts";
import { changeEndpoint, ENDPOINT, ENDPOINT_TYPES, type EndpointType, offerEndpoints } from "./change-endpoint.ts";

const change = (endpoint: string, next: EndpointType) => {
  const text = `spec: { ssh: { distribution: kubeadm, endpoint: ${endpoint} } }\n`;
  return readAt(readDocument(changeEndpoint(text, readDocument(text).value, next)).value, ENDPOINT);
};

describe("an endpoint of another type", () => {
  it("of HAProxy has a port beside that of the API servers", () => {
    expect(change("{}", "haproxy")).toEqual({ type: "haproxy", port: 8443 });
    expect(change("{ type: given, host: k8s.example, port: 6443 }", "haproxy")).toEqual({
      type: "haproxy",
      port: 8443,
    });
    expect(change("{ type: given, host: k8s.example, port: 443 }", "haproxy")).toEqual({ type: "haproxy", port: 443 });
  });

  it("leaves out what its type refuses", () => {
    const haproxy = "{ type: haproxy, virtualIp: 10.0.0.9, port: 8443, interface: eth1 }";
    expect(change(haproxy, "kube-vip")).toEqual({ type: "kube-vip", virtualIp: "10.0.0.9", interface: "eth1" });
    expect(change(haproxy, "given")).toEqual({ type: "given", port: 8443, interface: "eth1" });
    expect(change("{ type: haproxy, virtualIp: 10.0.0.9, port: 8443 }", "node")).toBeUndefined();
  });
});

it("offers for k3s what it can have, and what the document says", () => {
  expect(offerEndpoints("kubeadm", "node")).toEqual(ENDPOINT_TYPES);
  expect(offerEndpoints("k3s", "node")).toEqual(["node", "given"]);
  expect(offerEndpoints("k3s", "haproxy")).toEqual(["node", "given", "haproxy"]);
});
