import ssh2, { type AnyAuthMethod } from "ssh2";
import { UnreachableError } from "../../lib/unreachable-error.ts";
import type { SshTarget } from "./ssh-target.ts";
import { nameTarget } from "./ssh-target.ts";

/** The ways to be let in, in the order of trying. Throws an `UnreachableError` on a key that cannot be read. */
export function listAuthentications(target: SshTarget): AnyAuthMethod[] {
  const { user: username, credentials } = target;
  const methods: AnyAuthMethod[] = [];
  for (const { key, passphrase } of credentials.privateKeys ?? []) {
    requireUsable(target, key, passphrase);
    methods.push({ type: "publickey", username, key, ...(passphrase === undefined ? {} : { passphrase }) });
  }
  const { agentSocket, password } = credentials;
  if (agentSocket !== undefined) methods.push({ type: "agent", username, agent: agentSocket });
  if (password !== undefined) {
    methods.push({ type: "password", username, password });
    methods.push({
      type: "keyboard-interactive",
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => finish(answerPrompts(prompts, password)),
    });
  }
  if (methods.length === 0) refuse(target, "Neither a key nor an agent nor a password was given for it.");
  return methods;
}

/** The password answers one hidden question. Whoever asks more, or in the open, wants something that we do not have. */
function answerPrompts(prompts: readonly { echo?: boolean | undefined }[], password: string): string[] {
  const hidden = prompts.filter(({ echo }) => echo !== true).length;
  return prompts.map(({ echo }) => (echo !== true && hidden === 1 ? password : ""));
}

function requireUsable(target: SshTarget, key: string, passphrase: string | undefined): void {
  const parsed = ssh2.utils.parseKey(key, passphrase);
  if (parsed instanceof Error) refuse(target, "A private key for it cannot be read.");
}

function refuse(target: SshTarget, detail: string): never {
  throw new UnreachableError({ reason: "credentials-unusable", host: nameTarget(target), detail });
}
