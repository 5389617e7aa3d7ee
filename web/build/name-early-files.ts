import type { Plugin, Rolldown } from "vite";

/** Which file a page comes in, by its address; the first that fits. */
const PAGES: readonly (readonly [address: string, file: string])[] = [
  ["^/(overview)?$", "overview-page"],
  ["^/clusters$", "clusters-page"],
  ["^/clusters/new$", "new-cluster-page"],
  ["^/clusters/[^/]+/edit$", "edit-cluster-page"],
  ["^/clusters/", "cluster-page"],
  ["^/jobs$", "jobs-page"],
  ["^/jobs/", "job-page"],
  ["^/batches$", "batches-page"],
  ["^/batches/", "batch-page"],
  ["^/templates$", "templates-page"],
  ["^/import$", "import-page"],
  ["^/consistency$", "consistency-page"],
  ["^/doctor$", "doctor-page"],
  ["^/machines$", "machines-page"],
  ["^/audit$", "audit-page"],
  ["^/settings", "settings-page"],
];

const LANGUAGES = { en: "en", zh: "zh-cn" };

/**
 * Writes into the page which files each address and language needs, so that `early.js` has them fetched beside the
 * program instead of after it.
 */
export function nameEarlyFiles(): Plugin {
  return {
    name: "name-early-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const start = reach(chunks, (chunk) => chunk.isEntry);
        const need = (name: string) => {
          const wanted = reach(chunks, (chunk) => chunk.name === name);
          if (wanted.size === 0)
            throw new Error(`The build has no file ${name}; web/build/name-early-files.ts names it.`);
          return [...wanted].filter((file) => !start.has(file));
        };
        const files = {
          pages: PAGES.map(([address, name]) => [address, need(name)]),
          languages: Object.fromEntries(Object.entries(LANGUAGES).map(([tag, name]) => [tag, need(name)])),
        };
        const attrs = { name: "early-files", content: JSON.stringify(files) };
        return [{ tag: "meta", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}

/** The files of these and of everything that they import at once, styles included. */
function reach(chunks: readonly Rolldown.OutputChunk[], isWanted: (chunk: Rolldown.OutputChunk) => boolean) {
  const files = new Set(chunks.filter(isWanted).map(({ fileName }) => fileName));
  for (const file of files) {
    const chunk = chunks.find(({ fileName }) => fileName === file);
    for (const next of [...(chunk?.imports ?? []), ...(chunk?.viteMetadata?.importedCss ?? [])]) files.add(next);
  }
  return files;
}
