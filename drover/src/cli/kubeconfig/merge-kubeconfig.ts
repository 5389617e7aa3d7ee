import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { type ContextParts, findContext, kubeconfigOf } from "../../domain/kubeconfig.ts";
import { UsageError } from "../usage-error.ts";

/** Under this name entries carry what tells that they are ours; kubectl keeps such extensions. */
const MARK = "drover.dev";
const LISTS = ["clusters", "users", "contexts"] as const;
type List = (typeof LISTS)[number];
const CONTENT: Readonly<Record<List, string>> = { clusters: "cluster", users: "user", contexts: "context" };

export const entryName = (cluster: string): string => `drover-${cluster}`;

/** Whether the text has any entry of this name, whoever wrote it. */
export function hasEntry(text: string, name: string): boolean {
  const doc = readDocument(text);
  return LISTS.some((list) => findEntry(listOf(doc, list), name) !== null);
}

/** Throws when the text is no kubeconfig, or others wrote entries that ours would have to replace. */
export function assertMergeable(text: string, cluster: string): void {
  const doc = readDocument(text);
  for (const list of LISTS) findOwn(doc, list, entryName(cluster));
}

/**
 * The text with the current context of `added` in it, under one name for cluster, user and context. Entries of that name
 * are replaced if they are ours; everything else stays as it is, comments included.
 */
export function mergeKubeconfig(text: string, added: string, cluster: string): string {
  const doc = readDocument(text);
  const name = entryName(cluster);
  const { cluster: server, user } = partsOf(added);
  const extensions = [{ name: MARK, extension: { cluster } }];
  const content = {
    clusters: { ...server.fields, extensions },
    users: { ...user.fields, extensions },
    contexts: { cluster: name, user: name, extensions },
  };
  for (const list of LISTS) {
    const entries = listOf(doc, list);
    const known = findOwn(doc, list, name);
    const entry = doc.createNode({ name, [CONTENT[list]]: content[list] });
    if (known === null) entries.add(entry);
    else entries.items[entries.items.indexOf(known)] = entry;
  }
  const current = doc.get("current-context");
  if ((current === undefined || current === null || current === "") && listOf(doc, "contexts").items.length === 1) {
    doc.set("current-context", name);
  }
  return doc.toString({ lineWidth: 0 });
}

function readDocument(text: string): Document {
  const doc = parseDocument(text.trim() === "" ? "apiVersion: v1\nkind: Config\n" : text, { logLevel: "error" });
  if (doc.errors.length > 0 || !isMap(doc.contents) || doc.get("kind") !== "Config") {
    throw new UsageError("It is not a kubeconfig (kind: Config) that can be read; nothing was written.");
  }
  return doc;
}

/** Made where it is missing: an empty list is often written as null. */
function listOf(doc: Document, list: List): YAMLSeq {
  if (!isSeq(doc.get(list))) doc.set(list, doc.createNode([]));
  const seq = doc.get(list) as YAMLSeq;
  seq.flow = false;
  return seq;
}

function findEntry(entries: YAMLSeq, name: string): YAMLMap | null {
  return entries.items.find((item): item is YAMLMap => isMap(item) && item.get("name") === name) ?? null;
}

/** Our entry of this name, or null when there is none. */
function findOwn(doc: Document, list: List, name: string): YAMLMap | null {
  const known = findEntry(listOf(doc, list), name);
  if (known !== null && !isOurs(known, CONTENT[list])) throw foreign(list, name);
  return known;
}

function isOurs(entry: YAMLMap, content: string): boolean {
  const extensions = entry.getIn([content, "extensions"]);
  return isSeq(extensions) && extensions.items.some((item) => isMap(item) && item.get("name") === MARK);
}

function partsOf(added: string): ContextParts {
  const kubeconfig = kubeconfigOf(parse(added));
  const found =
    kubeconfig === null ? null : findContext(kubeconfig, kubeconfig.currentContext ?? "", "current-context");
  if (found !== null && "parts" in found) return found.parts;
  throw new Error("The server has sent a kubeconfig without a current context.");
}

const foreign = (list: List, name: string): UsageError =>
  new UsageError(
    `Among its ${list} is a "${name}" that Drover did not write; rename or remove it. Nothing was written.`,
  );
