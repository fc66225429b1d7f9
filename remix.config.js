// The one build file: Vite's configuration, with the Remix plugin for the app and without it for Vitest.
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { denyImports } from "vite-env-only";
import { defineConfig } from "vitest/config";

const underVitest = process.env.VITEST !== undefined;

export default defineConfig({
  plugins: underVitest
    ? []
    : [
        denyImports({ client: { files: ["**/server/**/*.ts", "**/db/**/*.ts", "**/migrations/**"] } }),
        tailwindcss(),
        remix({
          appDirectory: "app",
          future: {
            v3_fetcherPersist: true,
            v3_lazyRouteDiscovery: true,
            v3_relativeSplatPath: true,
            v3_routeConfig: true,
            v3_singleFetch: true,
            v3_throwAbortReason: true,
          },
        }),
      ],
  build: { target: "es2022", assetsInlineLimit: 0, cssMinify: true },
  test: {
    environment: "node",
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], isolate: false, testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          // What tests/support/store.ts keeps running is for the next file too.
          isolate: false,
          globalSetup: ["tests/support/database-server.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          globalSetup: ["tests/support/database-server.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
