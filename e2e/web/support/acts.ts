import type { Page } from "playwright-core";
import type { Messages } from "../../../web/src/i18n/messages.ts";
import { PASSWORD } from "./site.ts";

/** Fills the form to sign in, as a person does. */
export async function fillSignIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("User name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The little of a browser that pasting needs. */
interface Browser {
  readonly DataTransfer: new () => { setData: (type: string, text: string) => void };
  readonly ClipboardEvent: new (type: string, init: object) => Event;
}

/** Replaces the whole document in the YAML editor, as pasting over all of it does. */
export async function typeDocument(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "YAML" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await pasteIntoDocument(page, text);
}

/** Puts lines behind the document in the YAML editor. */
export async function appendToDocument(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "YAML" }).click();
  await page.keyboard.press("ControlOrMeta+End");
  await pasteIntoDocument(page, text);
}

async function pasteIntoDocument(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "YAML" }).evaluate((target, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as Browser;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (target as unknown as EventTarget).dispatchEvent(event);
  }, text);
}

/** Begins a cluster on the machines of `makeSomeMachines`, by keys: two control planes, of which one is not fit, and two workers. */
export async function chooseMachines(page: Page, m: Messages): Promise<void> {
  await page.getByRole("combobox", { name: m.clusters.provider }).click();
  await page.getByRole("option", { name: m.providers.ssh }).click();
  for (const [name, times] of [
    ["rack-a-1", 1],
    ["rack-a-3", 1],
    ["rack-a-2", 2],
    ["rack-b-1", 2],
  ] as const) {
    await page.locator(`[data-machine="${name}"] [data-handle]`).focus();
    for (const column of ["controlplane", "worker"].slice(0, times)) {
      await page.keyboard.press("ArrowRight");
      await page.locator(`[data-column=${column}] [data-machine="${name}"] [data-handle]:focus`).waitFor();
    }
  }
  await page.getByRole("textbox", { name: m.sshForm.folder }).fill("/srv/artifacts");
}
