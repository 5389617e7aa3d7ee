import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { buildPath, ERRORS, type ErrorCode, ROLES, ROUTES, type Role, type Route } from "@drover/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAnnounced } from "../../test/answers.ts";
import { asText, openTestServer } from "../../test/http.ts";
import { MATRIX } from "../../test/matrix/index.ts";
import { NOT_MOUNTED } from "../../test/matrix/not-mounted.ts";
import { describeCluster, type Made, type Row } from "../../test/matrix/row.ts";
import { mayActAs } from "../app/caller.ts";

const SCOPES = { everything: [], within: ["env=dev"], outside: ["env=prod"] } as const;
type Scope = keyof typeof SCOPES;
interface Cell {
  readonly title: string;
  readonly who: { readonly role: Role; readonly scope: Scope } | null;
  readonly token: `drv_${string}` | null;
}

const tables = ROUTES as Readonly<Record<string, Readonly<Record<string, Route>>>>;
const rows = Object.entries(MATRIX).flatMap(([table, named]) =>
  Object.entries(named as Readonly<Record<string, Row>>).map(([name, row]) => ({
    ...{ title: `${table}.${name}`, row },
    route: tables[table]?.[name] as Route,
  })),
);

let test: Awaited<ReturnType<typeof openTestServer>>;
let port: number;
let cells: readonly Cell[];
beforeAll(async () => {
  test = await openTestServer();
  await test.server.listen({ host: "127.0.0.1", port: 0 });
  port = (test.server.server.address() as AddressInfo).port;
  const known = ROLES.flatMap((role) => (Object.keys(SCOPES) as Scope[]).map((scope) => ({ role, scope })));
  cells = [
    { title: "nobody", who: null, token: null },
    { title: "a token that nobody gave out", who: null, token: "drv_made-up" },
    ...(await Promise.all(
      known.map(async (who) => ({
        ...{ title: `${who.role} of ${who.scope}`, who },
        token: await test.makeToken(who.role, SCOPES[who.scope], `${who.role}-${who.scope}`),
      })),
    )),
  ];
  await declare("runs-always");
  await test.settle();
});
afterAll(() => test.dispose());

let words = 0;
const newWord = () => `n${++words}`;
const declare = (name: string, labels?: Record<string, string>) =>
  test.ask("POST", "/api/v1/clusters", { body: describeCluster(name, labels) });

/** A cluster within one scope, then one within the other: whoever follows sees one of them first. */
async function makeThings(): Promise<Made> {
  const word = newWord();
  const cluster = `dev-${word}`;
  const { json } = await declare(cluster);
  await declare(`prod-${word}`, { env: "prod" });
  return { cluster, job: asText(json.jobId), running: "runs-always", word, test };
}

describe("the matrix of roles, routes and label scopes", () => {
  it("has a row for each route that is mounted, and only for those", () => {
    const listed: readonly string[] = NOT_MOUNTED;
    const routes = Object.entries(tables).flatMap(([table, named]) =>
      Object.entries(named).map(([name, route]) => ({ table, title: `${table}.${name}`, route })),
    );
    const isMounted = ({ route }: { route: Route }) => test.server.hasRoute({ method: route.method, url: route.path });
    expect(rows.map(({ title }) => title).sort()).toEqual(
      routes
        .filter(isMounted)
        .map(({ title }) => title)
        .sort(),
    );
    expect(
      routes
        .filter((one) => !isMounted(one))
        .map(({ table }) => table)
        .filter((one) => !listed.includes(one)),
    ).toEqual([]);
  });

  it.each(rows)("$title lets in whom it should", async ({ route, row }) => {
    const [wanted, seen]: Record<string, string>[] = [{}, {}];
    let things = await makeThings();
    for (const cell of cells) {
      const answer = foretell(route, row, cell);
      // Who is refused changes nothing, so that the next one may find the same things.
      things = /^40[13]/.test(answer) ? { ...things, word: newWord() } : await makeThings();
      Object.assign(wanted as object, { [cell.title]: answer });
      Object.assign(seen as object, { [cell.title]: await answerTo(route, row, cell, things) });
    }
    expect(seen).toEqual(wanted);
  });
});

const refused = (code: ErrorCode) => `${ERRORS[code].status} ${code}`;

function foretell(route: Route, row: Row, { who }: Cell): string {
  const { access } = route;
  const letIn = row.refusal === undefined ? String(route.success) : refused(row.refusal);
  if (access === "public") return letIn;
  if (access === "plugin") return refused("forbidden");
  if (who === null) return refused("unauthenticated");
  if (!mayActAs(who.role, row.needs ?? access)) return refused("forbidden");
  // What administrators alone may do concerns everybody: one who has a scope has no say in it.
  if (access === "admin" && who.scope !== "everything") return refused("forbidden");
  const isOutside = who.scope === "outside";
  switch (row.scope) {
    case "none":
      return letIn;
    case "list":
      return `${letIn}, ${isOutside ? "without it" : "with it"}`;
    case "cluster":
      return isOutside ? refused("cluster-not-found") : letIn;
    case "job":
      return isOutside ? refused("job-not-found") : letIn;
    case "declare":
      return isOutside ? refused("forbidden") : letIn;
  }
}

async function answerTo(route: Route, row: Row, { token }: Cell, things: Made): Promise<string> {
  const { params = {}, query = {}, body, headers = {} } = (await row.request?.(things)) ?? {};
  const url = buildPath(route as { path: `/${string}` }, { params, query } as never);
  const as = { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
  if (route.delivery === "websocket") return await openSocket(url, as, route);
  const answer = route.delivery === "sse" ? await follow(url, as, things) : await ask(route, url, as, body);
  const { status, body: said } = answer;
  if (status >= 400) return describeProblem(route, status, said);
  if (answer.isJson) expectAnnounced(route, { status, text: said, json: JSON.parse(said) });
  if (row.scope !== "list") return String(status);
  const tells = row.tells?.(said, things) ?? said.includes(things.cluster);
  return `${status}, ${tells ? "with it" : "without it"}`;
}

function describeProblem(route: Route, status: number, said: string): string {
  const json = JSON.parse(said) as { code: ErrorCode };
  expectAnnounced(route, { status, text: said, json });
  return `${status} ${json.code}`;
}

async function ask(route: Route, url: string, headers: Record<string, string>, body: unknown) {
  const isText = typeof body === "string";
  const answer = await test.server.inject({
    ...{ method: route.method, url },
    headers: {
      host: "localhost",
      ...(body === undefined ? {} : { "content-type": isText ? "application/yaml" : "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
  });
  const isJson = String(answer.headers["content-type"] ?? "").includes("json") && route.response !== null;
  return { status: answer.statusCode, body: answer.body, isJson };
}

/** Reads until one of the two clusters is told of, where there is something to be told. */
async function follow(url: string, headers: Record<string, string>, { cluster, word }: Made) {
  const asked = request(`http://127.0.0.1:${port}${url}`, { agent: false, headers }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const { statusCode: status = 0 } = answer;
  let body = "";
  const isEnough = () => !url.includes("/events/") || body.includes(cluster) || body.includes(`prod-${word}`);
  for await (const chunk of answer) {
    body += String(chunk);
    if (status === 200 && isEnough()) break;
  }
  return { status, body, isJson: false };
}

/** Over a real connection, which a handshake needs. */
async function openSocket(url: string, headers: Record<string, string>, route: Route): Promise<string> {
  const asked = request(`http://127.0.0.1:${port}${url}`, {
    agent: false,
    headers: {
      ...headers,
      ...{ connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
    },
  }).end();
  return await new Promise<string>((resolve, reject) => {
    asked.once("error", reject);
    asked.once("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(String(route.success));
    });
    asked.once("response", (response) => {
      text(response)
        .then((body) => resolve(describeProblem(route, response.statusCode ?? 0, body)))
        .catch(reject);
    });
  });
}
