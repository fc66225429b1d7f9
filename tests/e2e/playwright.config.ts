/**
 * Browser tests: every one with scripts and without, against one stack that `global-setup.ts` starts. Those that break the
 * outside world for everyone have a stack of their own, and run one after the other.
 */
import { defineConfig } from "playwright/test";

const outages = "**/outages.spec.ts";
const asRoot = process.getuid?.() === 0;
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./global-setup.ts",
  outputDir: "../../test-results",
  workers: 2,
  fullyParallel: true,
  // A machine shared with other work may stall a browser for seconds; run.mjs names whatever needed its
  // second try, and an error a page reported stays a failure.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: "off",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        // Chromium's sandbox refuses to run as root.
        ...(asRoot ? ["--no-sandbox"] : []),
        // The browser stays quiet: nothing but what a test asks for goes over the network.
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "outages", testMatch: outages, fullyParallel: false },
    { name: "scripts-on", testIgnore: outages, use: { javaScriptEnabled: true } },
    { name: "scripts-off", testIgnore: outages, use: { javaScriptEnabled: false } },
  ],
});
