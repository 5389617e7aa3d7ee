import { KubernetesClient } from "../../src/connectors/kubernetes/kubernetes-client.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { systemTimer } from "../../src/ports/timer.ts";

const noPrograms = { run: () => Promise.reject(new Error("No program is run here.")) };

/** The client of workers, for kubeconfigs that run nothing. */
export const newClient = (): KubernetesClient =>
  new KubernetesClient({ clock: systemClock, timer: systemTimer, programs: noPrograms });
