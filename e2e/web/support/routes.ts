interface RouteLike {
  readonly options: { readonly path?: string };
}

const PAGES = "../../../web/src/pages";

/** The paths of all routes of the app, with their parts in place of `$tab` and `$section`. */
export async function listRoutes(): Promise<readonly string[]> {
  const load = async <T>(file: string) => (await import(new URL(`${PAGES}/${file}`, import.meta.url).pathname)) as T;
  const [{ routeTree }, { CLUSTER_TABS }, { SETTING_SECTIONS }] = await Promise.all([
    load<{ routeTree: { children: readonly RouteLike[] } }>("index.ts"),
    load<{ CLUSTER_TABS: readonly string[] }>("cluster/search.ts"),
    load<{ SETTING_SECTIONS: readonly string[] }>("settings/sections.ts"),
  ]);
  const parts: Readonly<Record<string, readonly string[]>> = { $tab: CLUSTER_TABS, $section: SETTING_SECTIONS };
  return routeTree.children.flatMap(({ options: { path = "" } }) => {
    const placeholder = Object.keys(parts).find((one) => path.endsWith(`/${one}`));
    return placeholder === undefined
      ? [path]
      : (parts[placeholder] ?? []).map((part) => path.replace(placeholder, () => part));
  });
}
