import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { newClient } from "../../../test/fake-kubernetes/new-client.ts";
import { kubernetesApiConformance } from "../../ports/kubernetes-api.conformance.ts";

kubernetesApiConformance({
  name: "the client, at a fake API server,",
  create: async () => {
    const fake = await FakeKubernetes.start();
    const api = newClient();
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
