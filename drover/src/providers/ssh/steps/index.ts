import type { Step } from "../../../ports/step.ts";
import type { SshHost } from "../host.ts";
import { k3sSteps } from "../k3s/steps/index.ts";
import { applySshNetwork } from "./apply-ssh-network.ts";
import { bringSshArtifacts } from "./bring-ssh-artifacts.ts";
import { changeSshEtcd } from "./change-ssh-etcd.ts";
import { changeSshKubelet } from "./change-ssh-kubelet.ts";
import { checkSshArtifacts } from "./check-ssh-artifacts.ts";
import { checkSshBackup } from "./check-ssh-backup.ts";
import { checkSshMachines } from "./check-ssh-machines.ts";
import { claimSshMachine } from "./claim-ssh-machine.ts";
import { completeSshMachine } from "./complete-ssh-machine.ts";
import { configureSshControlPlane } from "./configure-ssh-control-plane.ts";
import { drillSshBackup } from "./drill-ssh-backup.ts";
import { encryptionSteps } from "./encryption-steps.ts";
import { giveSshEtcdAccess } from "./give-ssh-etcd-access.ts";
import { initSshControlPlane } from "./init-ssh-control-plane.ts";
import { installSshContainerd } from "./install-ssh-containerd.ts";
import { joinSshNode } from "./join-ssh-node.ts";
import { keepSshState } from "./keep-ssh-state.ts";
import { labelSshNodes } from "./label-ssh-nodes.ts";
import { placeSshKubeVip } from "./place-ssh-kube-vip.ts";
import { pointSshApiServer } from "./point-ssh-api-server.ts";
import { preloadSshImages } from "./preload-ssh-images.ts";
import { prepareSshEndpoint } from "./prepare-ssh-endpoint.ts";
import { prepareSshMachine } from "./prepare-ssh-machine.ts";
import { pruneSshBackups } from "./prune-ssh-backups.ts";
import { ifLost, refoundSshControlPlane } from "./refound-ssh-control-plane.ts";
import { releaseSshMachine } from "./release-ssh-machine.ts";
import { removeSshNode } from "./remove-ssh-node.ts";
import { issueSshCertificates, renewSshCertificates } from "./renew-ssh-certificates.ts";
import { restoreSteps } from "./restore-ssh-cluster.ts";
import { retireSshEtcd } from "./retire-ssh-etcd.ts";
import { rewriteSshSecrets } from "./rewrite-ssh-secrets.ts";
import { rotateSshTokens } from "./rotate-ssh-tokens.ts";
import { noteSshWatchers, settleSshApi } from "./settle-ssh-api.ts";
import { clearSshRestore, forgetSshStrays } from "./settle-ssh-restore.ts";
import { snapshotSshEtcd } from "./snapshot-ssh-etcd.ts";
import { startSshEtcd } from "./start-ssh-etcd.ts";
import { takeSshBackup } from "./take-ssh-backup.ts";
import { upgradeSshComponents } from "./upgrade-ssh-components.ts";
import { waitForSshNodes } from "./wait-for-ssh-nodes.ts";

export function sshSteps(host: SshHost): readonly Step[] {
  return [
    checkSshArtifacts(host),
    checkSshMachines(host),
    claimSshMachine(host),
    installSshContainerd(host),
    prepareSshMachine(host),
    bringSshArtifacts(host),
    prepareSshEndpoint(host),
    preloadSshImages(host),
    startSshEtcd(host),
    giveSshEtcdAccess(host),
    initSshControlPlane(host),
    placeSshKubeVip(host),
    applySshNetwork(host),
    joinSshNode(host),
    configureSshControlPlane(host),
    waitForSshNodes(host),
    labelSshNodes(host),
    completeSshMachine(),
    pointSshApiServer(host),
    retireSshEtcd(host),
    snapshotSshEtcd(),
    changeSshEtcd(host),
    upgradeSshComponents(),
    changeSshKubelet(host),
    noteSshWatchers(),
    settleSshApi(host),
    removeSshNode(host),
    releaseSshMachine(host),
    ...k3sSteps(host),
    takeSshBackup(host),
    pruneSshBackups(host),
    drillSshBackup(host),
    checkSshBackup(host),
    keepSshState(host),
    ...[
      claimSshMachine(host),
      installSshContainerd(host),
      prepareSshMachine(host),
      bringSshArtifacts(host),
      prepareSshEndpoint(host),
    ].map(ifLost),
    refoundSshControlPlane(host),
    ...restoreSteps(host),
    forgetSshStrays(host),
    clearSshRestore(host),
    issueSshCertificates(host),
    renewSshCertificates(host),
    ...encryptionSteps(host),
    rewriteSshSecrets(host),
    rotateSshTokens(host),
  ];
}
