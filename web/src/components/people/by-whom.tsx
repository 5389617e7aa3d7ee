import { useMessages } from "../../i18n/use-language.tsx";

/** A user, or `user/token` when a program acted for somebody. */
export const personOf = (actor: string): string => actor.split("/", 1)[0] ?? actor;

/** Who did something: the person; through which token, on hover. The audit log always tells both. */
export function Person({ actor }: { readonly actor: string }) {
  return <span title={actor}>{personOf(actor)}</span>;
}

export function ByWhom({ actor }: { readonly actor: string }) {
  const m = useMessages();
  return <span title={actor}>{m.jobs.byWhom(personOf(actor))}</span>;
}
