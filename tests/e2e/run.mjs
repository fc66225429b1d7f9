/** `npm run test:e2e [files and options of Playwright]`: the browser tests, in this machine's Chromium or a downloaded one. */
import { projectFolder } from "#sandbox/local/install.mjs";
import { provideChromium } from "../support/chromium.mjs";
import { runProgram } from "../support/run-program.mjs";

const chromium = await provideChromium(runProgram, console.log, projectFolder);
console.log(chromium.said);
if (chromium.path === null) process.exit(1);
const args = ["playwright", "test", "--config", "tests/e2e/playwright.config.ts", ...process.argv.slice(2)];
process.exit(await runProgram("npx", args, { CHROMIUM_PATH: chromium.path }));
