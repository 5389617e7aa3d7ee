import type { Page } from "playwright-core";
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
  const editor = page.getByRole("textbox", { name: "YAML" });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await editor.evaluate((target, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as Browser;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (target as unknown as EventTarget).dispatchEvent(event);
  }, text);
}
