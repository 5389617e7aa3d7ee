import { useMemo, useState } from "react";

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly set: (keys: Iterable<string>) => void;
}

/** Which rows are marked. It begins anew with another list. */
export function useSelection(identity: string): Selection {
  const [state, setState] = useState<{ identity: string; keys: ReadonlySet<string> }>({ identity, keys: new Set() });
  const keys = useMemo(() => (state.identity === identity ? state.keys : new Set<string>()), [state, identity]);
  return useMemo(
    () => ({
      keys,
      toggle: (key) => {
        const next = new Set(keys);
        if (!next.delete(key)) next.add(key);
        setState({ identity, keys: next });
      },
      set: (all) => setState({ identity, keys: new Set(all) }),
    }),
    [keys, identity],
  );
}
