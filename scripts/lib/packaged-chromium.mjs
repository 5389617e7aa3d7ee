import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { withFileLock } from "./file-lock.mjs";
import { inRoot } from "./paths.mjs";

/**
 * Left out of what the package passes on: all in one process, where a page that crashes takes all others with it, and
 * a graphics card that is emulated, which costs a third of the processor's time.
 */
const UNWANTED = /^--(single-process|in-process-gpu|ignore-gpu-blocklist|use-gl=|use-angle=|enable-unsafe-swiftshader)/;
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Where the packaged one is unpacked, once for all runs. */
const UNPACKED = inRoot(".cache/chromium");
/** The package's own settings look for fonts only below /tmp. Without any font, pages have no text and Chromium crashes. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${UNPACKED}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
</fontconfig>
`;

/**
 * The Chromium of this machine; where there is none, the one that the package `@sparticuz/chromium` brings with its own
 * libraries.
 *
 * @typedef {object} Packaged
 * @property {string} importer The address of a module that has the package.
 * @property {() => Promise<{ default: { args: string[], executablePath: () => Promise<string> } }>} load Imports it.
 *
 * @param {Packaged} packaged
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function findChromium(packaged) {
  const executablePath = INSTALLED.find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath, args: [] };
  return await withFileLock(`${UNPACKED}.lock`, () => unpackChromium(packaged));
}

/**
 * The package unpacks into the temporary folder, and looks for its libraries there; that of a run is emptied at its end.
 *
 * @param {Packaged} packaged
 */
async function unpackChromium({ importer, load }) {
  const [stamp, version] = [join(UNPACKED, "version"), readVersion(importer)];
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== version) {
    rmSync(UNPACKED, { recursive: true, force: true });
    mkdirSync(UNPACKED, { recursive: true });
  }
  const { TMPDIR } = process.env;
  // The package unpacks its libraries only when it believes to be in the place it was made for.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  process.env.TMPDIR = UNPACKED;
  try {
    const { default: chromium } = await load();
    const executablePath = await chromium.executablePath();
    writeFileSync(join(UNPACKED, "fonts/fonts.conf"), FONTS);
    writeFileSync(stamp, version);
    return { executablePath, args: ["--disable-gpu", ...chromium.args.filter((flag) => !UNWANTED.test(flag))] };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** @param {string} importer */
function readVersion(importer) {
  const entry = createRequire(importer).resolve("@sparticuz/chromium");
  const root = entry.slice(0, entry.indexOf(join("@sparticuz", "chromium")));
  return JSON.parse(readFileSync(join(root, "@sparticuz/chromium/package.json"), "utf8")).version;
}
