import type { MachineFilter, MachineRecord } from "../../ports/store/index.ts";
import type { App } from "../app.ts";

const PAGE = 500;

/** Every machine that a filter meets, page by page. */
export async function* machinePages(app: App, filter: MachineFilter): AsyncGenerator<readonly MachineRecord[]> {
  for (let after: string | undefined; ; ) {
    const page = await app.store.machines.listMachines({
      ...{ ...filter, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    yield page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
