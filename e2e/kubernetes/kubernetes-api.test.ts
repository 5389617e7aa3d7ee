import { afterAll, beforeAll } from "vitest";
import { KubernetesClient } from "../../drover/src/connectors/kubernetes/kubernetes-client.ts";
import { systemClock } from "../../drover/src/ports/clock.ts";
import { kubernetesApiConformance } from "../../drover/src/ports/kubernetes-api.conformance.ts";
import { systemTimer } from "../../drover/src/ports/timer.ts";
import { ApiServer } from "../crd/api-server.ts";

const noPrograms = { run: () => Promise.reject(new Error("No program is run here.")) };
/** Everything that a test may have made and not removed. */
const MADE = ["/api/v1/namespaces/default/pods", "/api/v1/nodes"];

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.start();
});
afterAll(() => server.stop());

async function clear(): Promise<void> {
  for (const path of MADE) {
    const { status, body } = await server.call("DELETE", `${path}?gracePeriodSeconds=0`);
    if (status !== 200) throw new Error(`${path} was not cleared: ${status} ${JSON.stringify(body)}`);
  }
}

/** What the fake API server of the fast tests promises, a real one keeps. */
kubernetesApiConformance({
  name: "the client, at a real API server,",
  create: async () => {
    const api = new KubernetesClient({ clock: systemClock, timer: systemTimer, programs: noPrograms });
    return {
      api,
      target: { kubeconfig: server.kubeconfig() },
      stranger: { kubeconfig: server.kubeconfig({ token: "unknown" }) },
      nowhere: { kubeconfig: server.kubeconfig({ port: 1 }) },
      dispose: async () => {
        await api.close();
        await clear();
      },
    };
  },
});
