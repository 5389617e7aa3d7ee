import { IconRefresh } from "@tabler/icons-react";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "../../../api/api-error.ts";
import { callApi } from "../../../api/client.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import type { Card } from "./build-board.ts";

type Look = UseMutationResult<void, ApiError, readonly string[]>;

/** All machines are asked for, whichever of them fails; it is done when all are, and tells the first failure. */
export function useLookAgain(): Look {
  const client = useQueryClient();
  return useMutation<void, ApiError, readonly string[]>({
    mutationFn: async (names) => {
      const asked = names.map((name) => callApi("machines", "lookAgain", { params: { name } }));
      await Promise.allSettled(asked);
      await Promise.all(asked);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: KEYS.machines }),
  });
}

/** After something was mended on the machines. */
export function LookAgain({ cards, look }: { readonly cards: readonly Card[]; readonly look: Look }) {
  const m = useMessages();
  const troubled = cards.flatMap(({ machine, problems }) =>
    machine === null || problems.length === 0 ? [] : [machine.name],
  );
  if (troubled.length === 0) return null;
  return (
    <ChangeButton
      size="compact-sm"
      variant="default"
      loading={look.isPending}
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={() => look.mutate(troubled)}
    >
      {m.sshForm.lookAgain}
    </ChangeButton>
  );
}
