import type { ClusterFilter, ClusterRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";

const PAGE = 500;

/** Every cluster that a filter meets, page by page: never all of a large fleet at once, and others have their turn between. */
export async function* fleetPages(app: App, filter: ClusterFilter): AsyncGenerator<readonly ClusterRecord[]> {
  for (let after: string | undefined; ; ) {
    const page = await app.store.read.listClusters({
      ...{ ...filter, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    yield page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
