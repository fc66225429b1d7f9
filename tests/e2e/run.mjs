/** `npm run test:e2e [files and options of Playwright]`: the browser tests, in this machine's Chromium or one that is fetched. */
import { spawn } from "node:child_process";
import path from "node:path";
import { projectFolder } from "../../server/commands/install.mjs";
import { provideChromium } from "../support/chromium.mjs";

const chromium = await provideChromium(run, console.log, projectFolder);
console.log(chromium.said);
if (chromium.path === null) process.exit(1);
const playwright = path.join(projectFolder, "node_modules/.bin/playwright");
const args = ["test", "--config", "tests/e2e/playwright.config.ts", ...process.argv.slice(2)];
process.exit(await run(playwright, args, { CHROMIUM_PATH: chromium.path }));

/**
 * @param {string} command @param {string[]} args @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.once("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
}
