/** Finds or installs libfaketime, which gives processes another clock. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const library = "libfaketime.so.1";
/** Folders of libraries: Debian adds one for the architecture, other distributions do not. */
const parents = ["/usr/lib", "/usr/lib64", "/usr/local/lib"];

/** @returns {{ path: string } | { path: null, said: string }} the library, or instructions for installing it */
export function provideFaketime() {
  if (process.platform !== "linux") return { path: null, said: "The clock for tests moves on Linux only." };
  const given = process.env.FAKETIME_PATH;
  if (given)
    return existsSync(given)
      ? { path: given }
      : { path: null, said: `FAKETIME_PATH is ${given}, where there is no library.` };
  const system = find();
  if (system !== undefined) return { path: system };
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { env });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "libfaketime"], { env });
    const installed = find();
    if (installed !== undefined) return { path: installed };
  }
  return {
    path: null,
    said: `No ${library}: install the package libfaketime, or set FAKETIME_PATH to the library.`,
  };
}

/** @returns {string | undefined} */
function find() {
  return parents
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => [
      parent,
      ...readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name.endsWith("-linux-gnu"))
        .map(({ name }) => path.join(parent, name)),
    ])
    .map((folder) => path.join(folder, "faketime", library))
    .find((file) => existsSync(file));
}
