import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { systemClock } from "../../ports/clock.ts";
import { kubernetesApiConformance } from "../../ports/kubernetes-api.conformance.ts";
import { systemTimer } from "../../ports/timer.ts";
import { KubernetesClient } from "./kubernetes-client.ts";

const noPrograms = { run: () => Promise.reject(new Error("No program is run here.")) };

kubernetesApiConformance({
  name: "the client, at a fake API server,",
  create: async () => {
    const fake = await FakeKubernetes.start();
    const api = new KubernetesClient({ clock: systemClock, timer: systemTimer, programs: noPrograms });
    return {
      api,
      target: { kubeconfig: fake.kubeconfig() },
      stranger: { kubeconfig: fake.kubeconfig({ user: { token: "unknown" } }) },
      nowhere: { kubeconfig: fake.kubeconfig({ cluster: { server: "https://127.0.0.1:1" } }) },
      dispose: async () => {
        await api.close();
        await fake.stop();
      },
    };
  },
});
