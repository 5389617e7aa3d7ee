import { DroverError, makeProblem, type Problem, type RouteRequest, type templateRoutes } from "@drover/contract";
import type { DeclareResult, Json, LibraryEntry } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { assertMayDeclare, type Caller } from "./caller.ts";
import { checkDocument, declareSpec, refused } from "./declare-cluster.ts";
import { fillIn, findPlaceholders, type ParameterValue } from "./fill-in.ts";
import { assertMayShare } from "./library.ts";
import { assertMayUseSecrets } from "./secrets.ts";

export type TemplateContent = RouteRequest<typeof templateRoutes.changeTemplate>["body"];
type Parameter = TemplateContent["parameters"][number];

export interface Template extends TemplateContent {
  readonly name: string;
  readonly version: number;
  readonly updatedBy: string;
  readonly updatedAt: number;
}

const toTemplate = ({ name, version, updatedBy, updatedAt, body }: LibraryEntry): Template => ({
  ...(body as unknown as TemplateContent),
  ...{ name, version, updatedBy, updatedAt },
});

export async function listTemplates(app: App): Promise<readonly Template[]> {
  return (await app.store.library.listEntries("template")).map(toTemplate);
}

export async function getTemplate(app: App, name: string): Promise<Template> {
  const entry = await app.store.library.getEntry("template", name);
  if (entry === null) throw notFound(name);
  return toTemplate(entry);
}

const notFound = (name: string) => new DroverError("template-not-found", `There is no template named "${name}".`);

export async function createTemplate(
  app: App,
  caller: Caller,
  name: string,
  content: TemplateContent,
  request: Pick<Request, "idempotency">,
): Promise<Template> {
  assertMayShare(caller, "templates");
  checkContent(app, content);
  const body = content as unknown as Json;
  const entry = await app.store.library.createEntry(caller.actor, { kind: "template", name, body, ...request });
  if (entry === null) throw new DroverError("template-exists", `A template named "${name}" exists already.`);
  return toTemplate(entry);
}

/** `expectedVersion` null stands for whatever is there. */
export async function changeTemplate(
  app: App,
  caller: Caller,
  name: string,
  content: TemplateContent,
  expectedVersion: number | null,
): Promise<Template> {
  assertMayShare(caller, "templates");
  checkContent(app, content);
  const entry = await app.store.library.replaceEntry(caller.actor, {
    ...{ kind: "template", name, body: content as unknown as Json },
    ...(expectedVersion === null ? {} : { expectedVersion }),
  });
  if (entry === null) throw notFound(name);
  return toTemplate(entry);
}

export async function deleteTemplate(app: App, caller: Caller, name: string): Promise<void> {
  assertMayShare(caller, "templates");
  if (!(await app.store.library.deleteEntry(caller.actor, "template", name))) throw notFound(name);
}

/** What is wrong with a template, all at once. Where every parameter has a default, also whether it makes a cluster. */
function checkContent(app: App, { parameters, document }: TemplateContent): void {
  const problems = [...checkParameters(parameters), ...checkPlaceholders(parameters, document)];
  if (problems.length > 0) throw refused(problems);
  const defaults = new Map(parameters.map((one) => [one.name, one.default]));
  if ([...defaults.values()].includes(undefined)) return;
  const checked = checkDocument(app, nameAs("example", fillIn(document, defaults as Map<string, ParameterValue>)));
  if (!checked.ok) throw refused(checked.problems.map((one) => ({ ...one, path: pathIn("document", one.path) })));
}

const pathIn = (outer: string, path: string): string => (path === "" ? outer : `${outer}.${path}`);

function* checkParameters(parameters: readonly Parameter[]): Generator<Problem> {
  const seen = new Set<string>();
  for (const [index, { name, type, default: value }] of parameters.entries()) {
    const path = `parameters[${index}]`;
    if (seen.has(name)) yield makeProblem(`${path}.name`, "duplicate", `There is another parameter named "${name}".`);
    seen.add(name);
    if (value !== undefined && !fits(type, value)) yield wrongType(`${path}.default`, type);
  }
}

const JS_TYPES = { text: "string", number: "number", boolean: "boolean" } as const;
const fits = (type: Parameter["type"], value: ParameterValue): boolean => typeof value === JS_TYPES[type];
const wrongType = (path: string, type: Parameter["type"]) =>
  makeProblem(path, "wrong-type", `The parameter takes a ${type}.`, `Write a ${type}.`);

function* checkPlaceholders(parameters: readonly Parameter[], document: unknown): Generator<Problem> {
  const known = new Set(parameters.map(({ name }) => name));
  for (const { path, name, isKey } of findPlaceholders(document)) {
    if (isKey) yield makeProblem(path, "bad-key", "Only values may hold parameters, not keys.");
    else if (!known.has(name)) yield makeProblem(path, "unknown-value", `There is no parameter named "${name}".`);
  }
}

/** Declares a cluster from a template. It is checked like any other declaration. */
export async function instantiateTemplate(
  app: App,
  caller: Caller,
  template: Template,
  request: Request & { readonly cluster: string; readonly parameters: Readonly<Record<string, ParameterValue>> },
): Promise<DeclareResult> {
  const { cluster: clusterName, parameters, ...who } = request;
  const values = readValues(template.parameters, parameters);
  const checked = checkDocument(app, nameAs(clusterName, fillIn(template.document, values)));
  if (!checked.ok) throw refused(checked.problems);
  const { metadata, spec } = checked.cluster;
  const { name, labels = {}, annotations = {} } = metadata;
  assertMayDeclare(caller, labels);
  await assertMayUseSecrets(app, caller, spec);
  return await declareSpec(app, { ...who, name, spec, labels, annotations, expectedVersion: null });
}

function readValues(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, ParameterValue>>,
): ReadonlyMap<string, ParameterValue> {
  const problems: Problem[] = [];
  const values = new Map<string, ParameterValue>();
  for (const { name, type, default: usual } of parameters) {
    const value = Object.hasOwn(given, name) ? given[name] : usual;
    const path = `parameters.${name}`;
    if (value === undefined) problems.push(makeProblem(path, "required", `The parameter "${name}" has no default.`));
    else if (!fits(type, value)) problems.push(wrongType(path, type));
    else values.set(name, value);
  }
  const known = new Set(parameters.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    problems.push(makeProblem(`parameters.${name}`, "unknown-field", `The template has no parameter named "${name}".`));
  }
  if (problems.length > 0) throw refused(problems);
  return values;
}

/** The cluster is called as was asked, whatever the template says. */
function nameAs(name: string, document: unknown): unknown {
  if (!isMap(document)) return document;
  return { ...document, metadata: { ...(isMap(document.metadata) ? document.metadata : {}), name } };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
