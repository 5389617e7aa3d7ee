import { useQuery } from "@tanstack/react-query";
import type { ApiError } from "../../api/api-error.ts";
import { callApi } from "../../api/client.ts";
import type { Machine } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";

const PAGE = 500;
/** Twice what one cluster can hold; beyond that machines are named in the YAML. */
export const MOST_OFFERED = 2000;

/** All enrolled machines, to choose from and to look nodes up in. */
export function useAllMachines(enabled = true) {
  return useQuery<readonly Machine[], ApiError>({
    queryKey: [...KEYS.machines, "all"],
    enabled,
    queryFn: async ({ signal }) => {
      const machines: Machine[] = [];
      let after: string | undefined;
      do {
        const page = await callApi("machines", "listMachines", { query: { limit: PAGE, after }, signal });
        machines.push(...page.items);
        after = page.next ?? undefined;
      } while (after !== undefined && machines.length < MOST_OFFERED);
      return machines;
    },
  });
}
