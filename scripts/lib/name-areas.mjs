/** @typedef {"docs" | "web" | "e2e" | "bench" | "tests" | "product"} Area */

/** All there are. @type {readonly Area[]} */
export const AREAS = ["docs", "web", "e2e", "bench", "tests", "product"];

/**
 * The part of the repository that a file belongs to. What is not known to be something else counts as the product.
 *
 * @param {string} file
 * @returns {Area}
 */
export function nameArea(file) {
  if (file.startsWith("e2e/")) return file.endsWith(".md") ? "docs" : "e2e";
  if (file.startsWith("docs/") || file.endsWith(".md") || file === "LICENSE") return "docs";
  if (/\.test\.tsx?$/.test(file) || file.startsWith("drover/test/") || file.startsWith("contract/test/"))
    return "tests";
  if (file.startsWith("web/")) return "web";
  if (file.startsWith("bench/")) return "bench";
  return "product";
}

/**
 * @param {readonly string[] | undefined} changed Nothing where it is not known what changed: then everything did.
 * @returns {readonly Area[]}
 */
export function nameAreas(changed) {
  if (changed === undefined) return AREAS;
  const touched = new Set(changed.map(nameArea));
  return AREAS.filter((area) => touched.has(area));
}
