/**
 * Browser tests against one stack that `global-setup.ts` starts. Tests that cause outages for everyone have separate stacks, and
 * run sequentially.
 *
 * Every test has scripts and a pointer unless its title has a tag: `@without-scripts` for server behaviour, where a browser
 * without scripts is cheaper; `@both` for journeys with and without scripts; `@keyboard` for journeys with scripts and without a
 * pointer.
 *
 * `npm test` runs tests tagged `@journey`, and `@both` in both ways. `.ci/run` runs everything once.
 */
import { defineConfig } from "playwright/test";
import { waitLimitMs } from "../support/until.ts";
import { chromiumArguments } from "./chromium-arguments.ts";
import type { Options } from "./fixtures.ts";

const outages = "**/outages.spec.ts";
const executablePath = process.env.CHROMIUM_PATH;

/** `npm test` selects the quick part and `.ci/run` the full one; without either, everything that a command line names. */
const part = process.env.E2E_PART;
const nothing = /^(?!)/;
/** The tests of a project: all that match `full`, and in the quick part those that match `quick`. */
const testsOf = ({
  full,
  quick = nothing,
  others = [],
}: {
  full: RegExp;
  quick?: RegExp;
  others?: RegExp[];
}) => ({
  grep: part === "quick" ? quick : full,
  grepInvert: others,
});

export default defineConfig<Options>({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./global-setup.ts",
  outputDir: "../../test-results",
  // For two cores: a test waits for almost half of its time.
  workers: 3,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  timeout: waitLimitMs * 10,
  expect: { timeout: waitLimitMs },
  use: {
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    trace: "off",
    // An element that never comes fails its step, not half an hour later the whole test.
    actionTimeout: waitLimitMs,
    navigationTimeout: waitLimitMs,
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumArguments },
  },
  projects: [
    { name: "outages", testMatch: outages, fullyParallel: false, ...testsOf({ full: /./ }) },
    {
      name: "scripts-on",
      testIgnore: outages,
      ...testsOf({
        full: /./,
        quick: /@journey|@both/,
        // The keyboard project has scripts too.
        others: [/@without-scripts/, ...(part === "full" ? [/@keyboard/] : [])],
      }),
      use: { javaScriptEnabled: true },
    },
    {
      name: "scripts-off",
      testIgnore: outages,
      ...testsOf({ full: /@both|@without-scripts/, quick: /@both/ }),
      use: { javaScriptEnabled: false },
    },
    {
      name: "keyboard",
      testIgnore: outages,
      ...testsOf({ full: /@keyboard/ }),
      use: { javaScriptEnabled: true, keyboardOnly: true },
    },
  ],
});
