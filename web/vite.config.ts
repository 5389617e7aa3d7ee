import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const SERVER = "http://127.0.0.1:8420";

/** Puts a compressed file beside every asset, which the server sends to browsers that take it. */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    writeBundle: ({ dir = "" }) => {
      const assets = join(dir, "assets");
      for (const name of readdirSync(assets).filter((one) => /\.(js|css|svg)$/.test(one))) {
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), compressAssets()],
  worker: { format: "es" },
  build: {
    target: "es2023",
    // The page may load nothing inline, so no file may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: SERVER, ws: true }, "/readyz": SERVER } },
});
