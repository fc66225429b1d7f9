/** Browser tests: every one with scripts and without, against one stack that `global-setup.ts` starts. */
import { defineConfig } from "playwright/test";

const asRoot = process.getuid?.() === 0;
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./global-setup.ts",
  outputDir: "../../test-results",
  workers: 2,
  fullyParallel: true,
  retries: 0,
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
    { name: "scripts-on", use: { javaScriptEnabled: true } },
    { name: "scripts-off", use: { javaScriptEnabled: false } },
  ],
});
