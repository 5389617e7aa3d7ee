import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ApiError } from "../../../api/api-error.ts";
import { type Answer, callApi } from "../../../api/client.ts";
import { KEYS } from "../../../api/query-keys.ts";

export type MachineCheck = Answer<"machines", "checkMachines">["items"][number];

export interface MachineChecks {
  /** One for each node of the document, in its order; undefined while the document is not whole. */
  readonly items: readonly MachineCheck[] | undefined;
  readonly isChecking: boolean;
}

const PAUSE_MS = 350;

/** What is in the way of the document on its machines, asked anew after every change of it and of them. */
export function useMachineChecks(text: string, isAsked: boolean): MachineChecks {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery<Answer<"machines", "checkMachines">, ApiError>({
    queryKey: [...KEYS.machines, "check", settled],
    queryFn: ({ signal }) => callApi("machines", "checkMachines", { body: { document: settled }, signal }),
    enabled: isAsked,
    retry: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const isCurrent = settled === text && !query.isPlaceholderData;
  // Of a document that is not whole the plan says what is missing; its machines are checked when it is.
  const items = !isAsked || query.error !== null || !isCurrent ? undefined : query.data?.items;
  return { items, isChecking: isAsked && (!isCurrent || query.isFetching) };
}

export const hasError = ({ problems }: MachineCheck): boolean => problems.some(({ severity }) => severity === "error");
