import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { ApiError, isApiError } from "../../api/api-error.ts";
import { callApi } from "../../api/client.ts";
import type { Plan } from "../../api/objects.ts";

const PAUSE_MS = 350;

/** What applying a document would do, asked anew a moment after every change of it. */
export function usePlan(text: string, name: string | undefined, isReadable: boolean) {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery<Plan, ApiError>({
    queryKey: ["plan", name, settled],
    queryFn: ({ signal }) => askForPlan(name ?? "", settled, signal),
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

/**
 * The name also stands in the address that the plan is asked from. One that cannot is refused there, before anybody
 * looks at the document; then everything that is wrong with the document is asked for instead.
 */
async function askForPlan(name: string, document: string, signal: AbortSignal): Promise<Plan> {
  try {
    return await callApi("clusters", "planChange", { params: { name }, body: document, signal });
  } catch (error) {
    if (!isApiError(error) || !error.problems.some(({ path }) => path === "params.name")) throw error;
    const { problems } = await callApi("clusters", "validateCluster", { body: document, signal });
    throw new ApiError({ ...error.details, problems });
  }
}
