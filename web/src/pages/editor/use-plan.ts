import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ApiError, isApiError } from "../../api/api-error.ts";
import { callApi } from "../../api/client.ts";
import type { Plan } from "../../api/objects.ts";

const PAUSE_MS = 350;

/** What applying a document would do, asked anew a moment after every change of it. */
export function usePlan(text: string, name: string | undefined, isReadable: boolean) {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery<Plan, ApiError>({
    queryKey: ["plan", name, settled],
    queryFn: ({ signal }) => callApi("clusters", "planChange", { params: { name: name ?? "" }, body: settled, signal }),
    enabled: isReadable && name !== undefined && settled === text,
    retry: (failures, error) => isApiError(error, "network") && failures < 2,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = settled === text;
  return {
    plan: isCurrent ? query.data : undefined,
    error: isCurrent ? query.error : null,
    isPlanning: !isCurrent || query.isFetching,
    planAgain: () => void query.refetch(),
  };
}
