import { DroverError } from "@drover/contract";
import { listAt, textAt } from "../../../domain/json-fields.ts";
import { mapBounded } from "../../../lib/map-bounded.ts";
import { runOrThrow } from "../../../ports/connector.ts";
import { KubernetesError, type KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { writtenWith } from "../encryption/configuration.ts";
import { readRing } from "../encryption/kept-ring.ts";
import { PLAIN } from "../encryption/key-ring.ts";
import { etcdctl, findOtherMember } from "../etcd/members.ts";
import type { SshHost } from "../host.ts";
import { argvOf, type Script } from "../scripts/script.ts";
import { assertAllTold } from "./configure-ssh-control-plane.ts";
import { requireTarget } from "./label-ssh-nodes.ts";

const AT_ONCE = 8;
const PAGE = 200;

/**
 * Has the API write every Secret anew, as it is: an API server writes what was not written with its first key. Then the
 * database itself is asked whether any is left, because what comes next drops the other keys.
 */
export function rewriteSshSecrets(host: SshHost): Step {
  return {
    name: "rewrite-ssh-secrets",
    precheck: async (context) => (await readRing(context)).target === null,
    run: (context) => {
      const text = `Write all Secrets of ${context.cluster.name} anew`;
      return context.change(context.step.host, text, async () => {
        await assertAllTold(context);
        const count = await rewriteAll(host, context, await requireTarget(host, context));
        await assertNoneLeft(host, context, count);
        context.log(`${count} Secrets are written anew.`);
      });
    },
    // Nothing is settled before the next step; that all are written was just seen.
    verify: async () => true,
  };
}

async function rewriteAll(host: SshHost, context: StepContext, target: KubernetesTarget): Promise<number> {
  const { kubernetes } = host.parts;
  let count = 0;
  for (let next = ""; ; ) {
    const list = await kubernetes.get(target, `/api/v1/secrets?limit=${PAGE}${next}`, context.signal);
    const paths = listAt(list, "items").map(
      (secret) =>
        `/api/v1/namespaces/${textAt(secret, "metadata", "namespace")}/secrets/${textAt(secret, "metadata", "name")}`,
    );
    await mapBounded(paths, AT_ONCE, (path) => rewrite(host, context, target, path));
    count += paths.length;
    const more = textAt(list, "metadata", "continue");
    if (more === null) return count;
    next = `&continue=${encodeURIComponent(more)}`;
  }
}

async function rewrite(host: SshHost, { signal }: StepContext, target: KubernetesTarget, path: string): Promise<void> {
  try {
    await host.parts.kubernetes.patch(target, path, {}, { signal });
  } catch (error) {
    // Gone meanwhile, or written by somebody else, which comes to the same.
    if (error instanceof KubernetesError && (error.status === 404 || error.status === 409)) return;
    throw error;
  }
}

/**
 * How many Secrets the database has, and how many of them begin with a text. Arguments: the text, then the call of
 * etcdctl. Values are counted where they are and go nowhere. A call that fails, or is cut off, is never taken for an
 * empty answer: nothing of it stands before a pipe.
 */
export const COUNT_WRITTEN: Script = {
  name: "drover-count-written",
  text: `set -eu
text=$1; shift
asked=$("$@" get /registry/secrets/ --prefix --limit 1 --keys-only -w json)
revision=$(printf '%s\\n' "$asked" | sed -n 's/.*"revision":\\([0-9][0-9]*\\).*/\\1/p')
case $revision in ''|*[!0-9]*) echo "The database says no revision." >&2; exit 1 ;; esac
keys=$("$@" get /registry/secrets/ --prefix --keys-only --rev "$revision")
all=$(printf '%s\\n' "$keys" | grep -c '^/registry/secrets/') || true
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/values"
LC_ALL=C grep -a -c "^$text" < "$folder/values" > "$folder/found" &
"$@" get /registry/secrets/ --prefix --print-value-only --rev "$revision" > "$folder/values"
wait $! || true
echo "$all $(cat "$folder/found")"
`,
};

async function assertNoneLeft(host: SshHost, context: StepContext, written: number): Promise<void> {
  const { cluster, signal } = context;
  const { order } = await readRing(context);
  const [first = PLAIN] = order;
  const member = await findOtherMember(host, context, "");
  if (member === null) {
    throw new DroverError("cluster-not-ready", `The database of ${cluster.name} cannot be asked now.`);
  }
  const text = first === PLAIN ? writtenWith("key-").slice(0, -1) : writtenWith(first);
  const argv = argvOf(COUNT_WRITTEN, text, ...etcdctl(cluster.spec));
  const { stdout } = await runOrThrow(member, { argv }, { signal });
  const [all = Number.NaN, found = Number.NaN] = stdout.trim().split(" ").map(Number);
  // A cluster may have no Secrets, but then the API has listed none either.
  if (!(all > 0) && written > 0) {
    throw new DroverError("step-not-verified", `The database of ${cluster.name} lists no Secrets: no key is dropped.`);
  }
  const left = first === PLAIN ? found : all - found;
  if (left === 0) return;
  throw new DroverError(
    "step-not-verified",
    `${left} Secrets of ${cluster.name} are not written anew yet. All of them can be read: try again.`,
  );
}
