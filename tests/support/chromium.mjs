/** Finds a Chromium for the browser tests, or installs one. */
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

/** Program names; first the headless build, which renders the same pages with a fifth less CPU time. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/**
 * @param {(command: string, args: string[], env?: Record<string, string>) => Promise<number>} run
 * @param {(text: string) => void} say reports slow steps
 * @param {string} projectFolder
 * @returns {Promise<{ path: string | null, said: string }>} `said` describes what was done
 */
export async function provideChromium(run, say, projectFolder) {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    return isProgram(given)
      ? { path: given, said: `Chromium: ${given}, from CHROMIUM_PATH.` }
      : { path: null, said: `CHROMIUM_PATH is ${given}, where there is no program.` };
  }
  const system = onPath();
  // In CI, which runs everything, the browser tests take most of an hour.
  const isSlower = process.env.CI !== undefined && system !== null && path.basename(system) !== names[0];
  const lighter = isSlower ? await installed(run, say, names.slice(0, 1)) : null;
  if (lighter !== null) return lighter;
  if (system !== null) return { path: system, said: `Chromium: the system's, ${system}.` };
  const own = await playwrights();
  if (own !== null) return { path: own, said: `Chromium: Playwright's, ${own}.` };

  // Not every distribution has the first.
  const packaged = await installed(run, say, names.slice(0, 2));
  if (packaged !== null) return packaged;
  say("No Chromium found; installing Playwright's.");
  await run(path.join(projectFolder, "node_modules/.bin/playwright"), ["install", "chromium"]);
  const downloaded = await playwrights();
  if (downloaded !== null)
    return { path: downloaded, said: `Chromium: downloaded by Playwright, ${downloaded}.` };
  return { path: null, said: "No Chromium: install one, or set CHROMIUM_PATH to one." };
}

/**
 * Installs a package with apt-get, if this process is root and apt-get exists.
 * @param {(command: string, args: string[], env?: Record<string, string>) => Promise<number>} run
 * @param {(text: string) => void} say
 * @param {string[]} packages tried in turn
 * @returns {Promise<{ path: string, said: string } | null>}
 */
async function installed(run, say, packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  say(`Installing ${packages.join(" or ")} with apt-get.`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], env);
  for (const name of packages) {
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], env);
    const found = onPath();
    if (found !== null && path.basename(found) === name)
      return { path: found, said: `Chromium: installed with apt-get, ${found}.` };
  }
  return null;
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
