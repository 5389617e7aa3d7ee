import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { nameEarlyFiles } from "./build/name-early-files.ts";

const SERVER = "http://127.0.0.1:8420";

/** Many pages can show YAML; few do before somebody asks for it. */
const YAML = /\/node_modules\/yaml\//;

/** Puts compressed files beside every asset, of which the server sends the best that a browser takes. */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    writeBundle: ({ dir = "" }) => {
      const assets = join(dir, "assets");
      for (const name of readdirSync(assets).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const content = readFileSync(join(assets, name));
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
        // Over plain http browsers take Brotli from this machine only.
        writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), nameEarlyFiles(), compressAssets()],
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The page may load nothing inline, so no file may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files instead of a hundred small ones: over a network each costs a turn of its own. What the program begins
    // with, what several pages share; the rest stays with its page.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"], priority: 2 },
            { name: "parts", test: (id) => !YAML.test(id), minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: SERVER, ws: true }, "/readyz": SERVER } },
});
