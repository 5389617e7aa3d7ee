import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Messages } from "../../web/src/i18n/messages.ts";
import { DressedPage, plainDressesAt } from "./support/dressed-page.ts";
import { type Fleet, openBusyFleet, openLargeFleet, openStillFleet } from "./support/fleets.ts";
import { inLanes } from "./support/lanes.ts";
import { NO_PAGES, PAGES, type Scene, STATES, type State } from "./support/matrix.ts";
import { reachState } from "./support/reach-state.ts";
import { listRoutes } from "./support/routes.ts";

const FLEETS = { busy: openBusyFleet, still: openStillFleet, large: openLargeFleet };
const LANES = 2;
const PATIENT = { timeout: 120_000 };

interface Cell {
  readonly page: string;
  readonly state: State;
  readonly scene: Scene;
}

const CELLS: readonly Cell[] = Object.entries(PAGES).flatMap(([page, row]) =>
  STATES.flatMap((state) => {
    const scene = row[state];
    return "never" in scene ? [] : [{ page, state, scene }];
  }),
);

const seen = new Set<string>();

describe.each(["busy", "still", "large"] as const)("a fleet that is %s", (name) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await FLEETS[name]();
  });
  afterAll(() => fleet.site.close());

  const here = CELLS.filter(({ scene }) => scene.fleet === name);
  const looks = new Set(here.map(({ state, scene }) => `${state}, for ${scene.user}`));
  it.each([...looks])("every page that is %s", async (look) => {
    const cells = here.filter(({ state, scene }) => `${state}, for ${scene.user}` === look);
    const found: string[] = [];
    await inLanes(cells, LANES, async () => {
      const dressed = await DressedPage.open(fleet.site, cells[0]?.scene.user ?? "ada");
      return {
        take: async (cell) => {
          seen.add(nameOf(cell));
          const look = async () => void found.push(...(await lookAt(dressed, fleet, cell)));
          await fleet.site.undisturbed(look).catch((error: unknown) => found.push(`${nameOf(cell)}: ${String(error)}`));
        },
        close: async () => await dressed.close(),
      };
    });
    expect(found).toEqual([]);
  });

  it("nothing went wrong on any page", () => {
    expect([...new Set(fleet.site.offences)]).toEqual([]);
  });
});

const nameOf = ({ page, state }: Pick<Cell, "page" | "state">): string => `${page}, ${state}`;

const dressesOf = (cell: Cell) => plainDressesAt(CELLS.indexOf(cell));

async function lookAt(dressed: DressedPage, fleet: Fleet, cell: Cell): Promise<readonly string[]> {
  const leave = await reachState(dressed, cell.state, cell.scene, fleet.ids);
  try {
    const isThere = async (m: Messages) => await cell.scene.shows(dressed.page, m).waitFor(PATIENT);
    const found = await dressed.findViolations(dressesOf(cell), isThere, cell.scene.alike);
    return found.map((one) => `${nameOf(cell)}: ${one}`);
  } finally {
    await leave();
  }
}

it("every route of the app says how it is in every state, and every one of them was looked at", async () => {
  const named = Object.keys(PAGES).map((page) => page.replace(/ \(.*/, ""));
  expect((await listRoutes()).filter((route) => !named.includes(route) && !NO_PAGES.includes(route))).toEqual([]);
  for (const [page, row] of Object.entries(PAGES)) expect(Object.keys(row).sort(), page).toEqual([...STATES].sort());
  expect(CELLS.map(nameOf).filter((cell) => !seen.has(cell))).toEqual([]);
  const possible = CELLS.length;
  const impossible = Object.keys(PAGES).length * STATES.length - possible;
  const looks = CELLS.flatMap(dressesOf).length;
  process.stdout.write(
    `${looks} combinations of page, state, theme and language: ` +
      `${Object.keys(PAGES).length} pages, ${possible} states; ${impossible} states cannot be\n`,
  );
});
