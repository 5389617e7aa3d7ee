import { DroverError, type SshSpec } from "@drover/contract";
import { fingerprintOf } from "../connectors/ssh/host-key.ts";
import type { SshPool } from "../connectors/ssh/ssh-pool.ts";
import { readMachine } from "../machines/machine-ref.ts";
import { type CredentialSource, type MachineAddress, makeSshTarget, type SshAccess } from "../machines/ssh-access.ts";
import type { KnownMachine, MachineOwner, Machines } from "../ports/machines.ts";
import type { SshTarget } from "../ports/ssh-target.ts";
import type { ExternalObject, MachineRecord } from "../ports/store/index.ts";

export interface MachineParts extends CredentialSource {
  readonly pool: SshPool;
  listObjects(options: { clusterId?: string }): Promise<readonly ExternalObject[]>;
  /** The machine that was enrolled there; null when none was. */
  findEnrolled(address: string, port: number): Promise<EnrolledMachine | null>;
}

type EnrolledMachine = Pick<MachineRecord, "access" | "hostKey" | "bastionHostKey">;

/** The machines of clusters by SSH: from their spec, and from the ledger for those that the spec names no more. */
export function makeMachines(parts: MachineParts): Machines {
  const known = async (clusterId?: string): Promise<readonly KnownMachine[]> => {
    const rows = await parts.listObjects(clusterId === undefined ? {} : { clusterId });
    return rows.flatMap((row) => readMachine(row) ?? []);
  };
  const locate = async (owner: MachineOwner, name: string) => {
    const rows = await known(owner.id);
    const place = declaredPlace(accessOf(owner), name) ?? rows.find((row) => isCalled(row, name));
    if (place === undefined) throw new DroverError("step-unknown", `${name} is no machine of this cluster.`);
    const { address, port, user } = place;
    const met = rows.find((row) => row.address === address && row.port === port);
    const enrolled = await parts.findEnrolled(address, port);
    const hostKey = place.hostKey ?? acceptedKey(enrolled) ?? met?.hostKey ?? enrolled?.hostKey?.fingerprint ?? null;
    return { place: { address, port, user, hostKey }, enrolled };
  };
  const aim = async (owner: MachineOwner, name: string): Promise<SshTarget> => {
    const { place, enrolled } = await locate(owner, name);
    return await makeSshTarget(place, withKnownBastion(accessOf(owner).access, enrolled), parts);
  };
  return {
    connect: async (owner, name) => {
      const runAs = accessOf(owner).access.sudo.mode === "none" ? "user" : "root";
      return parts.pool.connect(await aim(owner, name), runAs);
    },
    findPin: async (owner, name) => (await locate(owner, name)).place.hostKey,
    fetchFingerprint: async (owner, name) => fingerprintOf(await parts.pool.fetchHostKey(await aim(owner, name))),
    known,
  };
}

/** A person has compared it since the machine was met with another one: that is how a changed key is let in again. */
const acceptedKey = (enrolled: EnrolledMachine | null): string | null =>
  enrolled?.hostKey?.origin === "accepted" ? enrolled.hostKey.fingerprint : null;

/** Known by the key that was pinned when machines behind it were enrolled, where the spec names none. */
function withKnownBastion(access: SshAccess, enrolled: EnrolledMachine | null): SshAccess {
  const { bastion } = access;
  const pinned = enrolled?.bastionHostKey?.fingerprint;
  const isSame =
    enrolled?.access.bastion?.address === bastion?.address && enrolled?.access.bastion?.port === bastion?.port;
  if (bastion === undefined || bastion.hostKey !== undefined || pinned === undefined || !isSame) return access;
  return { ...access, bastion: { ...bastion, hostKey: pinned } };
}

function accessOf({ spec }: MachineOwner): SshSpec {
  if (spec.ssh !== undefined) return spec.ssh;
  throw new DroverError("step-unknown", "The spec of this cluster does not say how its machines are reached.");
}

function declaredPlace({ nodes, access }: SshSpec, name: string): MachineAddress | undefined {
  const node = nodes.find((one) => one.name === name);
  if (node === undefined) return undefined;
  const { address, port = access.port, user = access.user, hostKey = null } = node;
  return { address, port, user, hostKey };
}

const isCalled = ({ node, address, port }: KnownMachine, name: string): boolean =>
  node === name || `${address}:${port}` === name;
