/** Finds a Chromium for the browser tests, or gets one. */
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

/** The one without a window's works first: the same pages for a fifth less of the processor. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/**
 * @param {(command: string, args: string[], env?: Record<string, string>) => Promise<number>} run
 * @param {(text: string) => void} say for what takes a while
 * @param {string} projectFolder
 * @returns {Promise<{ path: string | null, said: string }>} `said` is what was done, for the person who waits
 */
export async function provideChromium(run, say, projectFolder) {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    return isProgram(given)
      ? { path: given, said: `Chromium: ${given}, from CHROMIUM_PATH.` }
      : { path: null, said: `CHROMIUM_PATH is ${given}, where there is no program.` };
  }
  const system = onPath();
  if (system !== null) return { path: system, said: `Chromium: the system's, ${system}.` };
  const own = await playwrights();
  if (own !== null) return { path: own, said: `Chromium: Playwright's, ${own}.` };

  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("No Chromium found; installing it with apt-get.");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-qq"], env);
    // Not every distribution has the first.
    for (const name of ["chromium-headless-shell", "chromium"]) {
      await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], env);
      const installed = onPath();
      if (installed !== null)
        return { path: installed, said: `Chromium: installed with apt-get, ${installed}.` };
    }
  }
  say("No Chromium found; installing Playwright's.");
  await run(path.join(projectFolder, "node_modules/.bin/playwright"), ["install", "chromium"]);
  const downloaded = await playwrights();
  if (downloaded !== null)
    return { path: downloaded, said: `Chromium: downloaded by Playwright, ${downloaded}.` };
  return { path: null, said: "No Chromium: install one, or set CHROMIUM_PATH to one." };
}

function onPath() {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const name of names) if (isProgram(path.join(folder, name))) return path.join(folder, name);
  }
  return null;
}

async function playwrights() {
  const { chromium } = await import("playwright");
  const file = chromium.executablePath();
  return isProgram(file) ? file : null;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
