import { randomInt } from "node:crypto";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { inheritedEnvironment } from "../src/config/inherited-environment.ts";
import { systemClock } from "../src/ports/clock.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { startPostgres } from "./embedded-postgres.ts";
import { buildProgram } from "./program/build-program.ts";
import { drawStart } from "./simulation/draw-start.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A server in which every test makes databases of its own; see database.ts. */
    postgresUrl: string;
    /** The name of a database with our schema and nothing in it, to be copied. */
    postgresTemplate: string;
    /** `drover` as a file that Node.js runs. */
    program: string;
    /** The first of the seeds that this run of the tests simulates: a new one each time. */
    simulationStart: number;
  }
}

/** Plays the seeds of an earlier run again. */
const START_VARIABLE = "DROVER_SIM_START";

const TEMPLATE = "drover_template";

/** What the whole run shares: one real PostgreSQL, the program for tests that start it, and the seeds to simulate. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  project.provide("simulationStart", chooseStart());
  const [program, stopDatabases] = await Promise.all([buildProgram(), startDatabases(project)]);
  project.provide("program", program.file);
  return async () => {
    program.remove();
    await stopDatabases();
  };
}

/** What it holds is thrown away, so it does not wait for the disk. */
async function startDatabases(project: TestProject): Promise<() => Promise<void>> {
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const server = await startPostgres({ settings });
  const client = new pg.Client({ connectionString: `${server.url}/postgres` });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await (await openPostgres({ url: `${server.url}/${TEMPLATE}`, clock: systemClock })).close();
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", TEMPLATE);
  return server.stop;
}

function chooseStart(): number {
  const wanted = inheritedEnvironment()[START_VARIABLE];
  const start = wanted === undefined || wanted === "" ? drawStart(randomInt) : Number(wanted);
  if (!Number.isSafeInteger(start) || start < 0) throw new RangeError(`${START_VARIABLE}=${wanted} is not a seed.`);
  process.stdout.write(`Simulated seeds from ${start}; to play the same again: ${START_VARIABLE}=${start} npm test\n`);
  return start;
}
