import type { Route } from "@drover/contract";
import type { ApiClient, CallAnswer, CallInput } from "./api-client.ts";

const PAGE = 500;

type Paged<R extends Route> = CallAnswer<R> extends { items: readonly (infer T)[]; next: string | null } ? T : never;

/** Everything that a route lists, page by page; at most so many. */
export async function listAll<const R extends Route>(
  client: ApiClient,
  route: R,
  input: CallInput<R>,
  most = Number.POSITIVE_INFINITY,
): Promise<Paged<R>[]> {
  const items: Paged<R>[] = [];
  let after: string | undefined;
  do {
    const limit = Math.min(PAGE, most - items.length);
    const query = { ...(input.query as object), limit, ...(after === undefined ? {} : { after }) };
    const answer = (await client.call(route, { ...input, query } as unknown as CallInput<R>)) as {
      readonly items: readonly Paged<R>[];
      readonly next: string | null;
    };
    items.push(...answer.items);
    after = answer.next ?? undefined;
  } while (after !== undefined && items.length < most);
  return items;
}
