import { median } from "../lib/statistics.mjs";

/**
 * One list of clusters: how long its first page takes, and how long the deep one, or the last where the list ends before
 * that. The two are asked for in turns.
 *
 * @param {{ name: string, store: import("../../drover/src/ports/store/index.ts").Store, query: object, looks: number, deepPage: number }} options
 */
export async function clusterPages({ name, store, query, looks, deepPage }) {
  const deep = await walk(store, query, deepPage);
  const readFirst = () => store.read.listClusters(query);
  const readDeep = () => store.read.listClusters({ ...query, after: deep.after });
  return {
    name: `${name}, page ${deep.page}`,
    page: deep.page,
    prepare: async () => ({
      measure: async () => {
        const [first, later] = [[], []];
        for (let look = 0; look < looks; look++) {
          first.push(await time(readFirst));
          later.push(await time(readDeep));
        }
        return {
          "first-ms": median(first),
          "deep-ms": median(later),
          "deep/first": median(later) / median(first),
        };
      },
      dispose: async () => {},
    }),
  };
}

/** Goes on from page to page as a reader does, and answers the cursor that leads to the deep one. */
async function walk(store, query, deepPage) {
  let page = 1;
  let after;
  let seen = 0;
  for (;;) {
    const { items, next } = await store.read.listClusters({ ...query, ...(after === undefined ? {} : { after }) });
    seen += items.length;
    if (next === null || page === deepPage) break;
    after = next;
    page++;
  }
  if (after === undefined || seen <= query.limit) throw new Error(`A list of ${seen} clusters has no deep page.`);
  return { page, after };
}

async function time(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
