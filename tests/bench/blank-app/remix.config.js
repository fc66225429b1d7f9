// The empty app for comparison: the same Vite and the same Remix, with the same flags.
import path from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import { remixFlags } from "../../../remix.config.js";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    remix({
      appDirectory: "app",
      buildDirectory: path.join(import.meta.dirname, "build"),
      future: remixFlags,
    }),
  ],
  build: { target: "es2022" },
});
