/**
 * Prepares a fresh clone: checks the Node version, installs the packages, runs the build. Plain JavaScript without
 * dependencies, because none may be installed yet. Stamp files record what is done, so that a second start skips it.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

export const projectFolder = path.resolve(import.meta.dirname, "../..");
const minNode = [20, 19];

/** Exits with instructions when this Node is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = minNode;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  console.error(`Node ${minNode.join(".")} or later is needed, and this is ${process.versions.node}.`);
  console.error("Install a current one from https://nodejs.org and start again.");
  process.exit(1);
}

/** Runs `npm ci`, unless the installed packages match package-lock.json. */
export async function installIfNeeded() {
  const lock = path.join(projectFolder, "package-lock.json");
  const stamp = path.join(projectFolder, "node_modules/.installed");
  const wanted = `${hashOf([lock])} node ${process.versions.modules}`;
  if (readStamp(stamp) === wanted) return;
  // npm writes this file. After a manual `npm install` it is newer than the lock file.
  const byHand = path.join(projectFolder, "node_modules/.package-lock.json");
  if (readStamp(stamp) === "" && existsSync(byHand) && statSync(byHand).mtimeMs >= statSync(lock).mtimeMs) {
    writeFileSync(stamp, wanted);
    return;
  }
  const folder = path.join(projectFolder, "node_modules");
  // npm would first empty the folder that the link points to, for everybody else who uses it.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${folder} is a link and not up to date: install where it leads to, or remove the link.`);
  console.log("Installing packages. On a new machine this takes a few minutes.");
  // The build needs the development packages, regardless of NODE_ENV.
  const options = ["--include=dev", "--no-fund", "--no-audit"];
  try {
    await runNpm(["ci", ...options], "install");
  } catch (error) {
    if (error instanceof Stopped) throw error;
    // A lock file written on one platform may lack another's optional packages. `npm ci` then refuses it entirely.
    console.log("npm ci refused; installing the locked versions with npm install…");
    await runNpm(["install", "--no-save", ...options], "install");
  }
  writeFileSync(stamp, wanted);
}

/** Inputs of `npm run build`. */
export const buildSources = [
  "app",
  "server",
  "db",
  "migrations",
  "sandbox",
  "public",
  "package-lock.json",
  "remix.config.js",
  "tsconfig.json",
];

/** Runs `npm run build` unless the build matches the current sources. */
export async function buildIfNeeded() {
  const stamp = path.join(projectFolder, "build/.built");
  const wanted = hashOf(buildSources.map((source) => path.join(projectFolder, source)).flatMap(filesOf));
  if (readStamp(stamp) === wanted && existsSync(path.join(projectFolder, "build/server/index.js"))) return;
  console.log("Building the store. This takes a minute.");
  await runNpm(["run", "--silent", "build"], "build");
  writeFileSync(stamp, wanted);
}

/** Thrown when this process was asked to stop while npm ran. */
class Stopped extends Error {}

/**
 * Runs npm. Writes its output to a file, and to the terminal only when it fails: otherwise nobody needs its hundreds of lines.
 * @param {string[]} args
 * @param {string} name of the file, next to the other logs
 * @throws {Error} when npm fails; Stopped when this process was asked to stop in the meantime
 */
async function runNpm(args, name) {
  const folder = path.resolve(projectFolder, process.env.DATA_DIR ?? ".data", "logs");
  // Only this user reads what is stored there later.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = path.join(folder, `${name}.log`);
  const output = openSync(log, "w", 0o600);
  // npm tells its scripts its own location. Without it, use the npm on the PATH.
  const npm = process.env.npm_execpath;
  const isScript = npm?.endsWith("js") === true;
  const child = spawn(isScript ? process.execPath : "npm", isScript ? [npm, ...args] : args, {
    cwd: projectFolder,
    stdio: ["inherit", output, output],
    env: plainEnvironment(),
  });
  let isStopped = false;
  const passOn = () => {
    isStopped = true;
    child.kill("SIGTERM");
  };
  process.on("SIGTERM", passOn);
  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once("close", (status) => resolve(status ?? 1));
  });
  process.off("SIGTERM", passOn);
  closeSync(output);
  if (isStopped) throw new Stopped("Stopped.");
  if (code === 0) return;
  console.error(readFileSync(log, "utf8"));
  throw new Error(`npm ${args.filter((arg) => !arg.startsWith("-")).join(" ")} did not succeed.`);
}

/** The environment without variables that would change the build, which is always for production, even when a test starts it. */
function plainEnvironment() {
  const environment = { ...process.env };
  for (const name of ["NODE_ENV", "VITEST"]) Reflect.deleteProperty(environment, name);
  return environment;
}

/** @param {string} file */
function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** @param {string} file a file or folder that need not exist @returns {string[]} */
function filesOf(file) {
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file)
    .sort()
    .flatMap((name) => filesOf(path.join(file, name)));
}

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash("sha256");
  // Relative to the project, so that a moved or copied project has the same hash.
  for (const file of files)
    hash
      .update(`${path.relative(projectFolder, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}
