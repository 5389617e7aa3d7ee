import type { Step } from "../../../../ports/step.ts";
import type { SshHost } from "../../host.ts";
import { ifLost } from "../../steps/refound-ssh-control-plane.ts";
import { bringK3sArtifacts } from "./bring-k3s-artifacts.ts";
import { configureK3sNode } from "./configure-k3s-node.ts";
import { drillK3sBackup } from "./drill-k3s-backup.ts";
import { joinK3sNode } from "./join-k3s-node.ts";
import { keepK3sState } from "./keep-k3s-state.ts";
import { preloadK3sImages } from "./preload-k3s-images.ts";
import { renewK3sCertificates } from "./renew-k3s-certificates.ts";
import { restartK3sNode } from "./restart-k3s-node.ts";
import { refoundK3sServer, restoreK3sSteps } from "./restore-k3s-cluster.ts";
import { snapshotK3sEtcd } from "./snapshot-k3s-etcd.ts";
import { startK3sServer } from "./start-k3s-server.ts";
import { takeK3sBackup } from "./take-k3s-backup.ts";
import { upgradeK3sNode } from "./upgrade-k3s-node.ts";

/** What k3s does in its own way; the other steps are those of every cluster on machines. */
export function k3sSteps(host: SshHost): readonly Step[] {
  return [
    bringK3sArtifacts(host),
    configureK3sNode(),
    startK3sServer(host),
    joinK3sNode(host),
    preloadK3sImages(host),
    restartK3sNode(host),
    snapshotK3sEtcd(),
    upgradeK3sNode(host),
    takeK3sBackup(host),
    drillK3sBackup(host),
    keepK3sState(host),
    ...[configureK3sNode(), bringK3sArtifacts(host)].map(ifLost),
    refoundK3sServer(host),
    ...restoreK3sSteps(host),
    renewK3sCertificates(host),
  ];
}
