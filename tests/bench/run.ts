/**
 * `npm run bench`: every screen on a slow line against the budgets, the server's throughput beside an empty page's, and
 * Lighthouse. Takes minutes; ends with what is over its budget, and a code that says whether anything is.
 * `npm run bench -- "Create Account"` visits the screens with those words in their names, and measures nothing else.
 */
import { spawn } from "node:child_process";
import { type Browser, chromium } from "playwright";
import { projectFolder } from "#server/commands/children.ts";
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import * as paths from "#server/paths.ts";
import { chromiumArguments } from "#tests/e2e/chromium-arguments.ts";
import type { Browserless } from "#tests/support/browserless.ts";
import { provideChromium } from "#tests/support/chromium.mjs";
import { startStack } from "#tests/support/stack.ts";
import { brokenByPaint, brokenByTraffic, budgets, inKb, median, type Paint } from "./budgets.ts";
import { startEmptyPage } from "./empty-page.ts";
import { lighthouseOf } from "./lighthouse.ts";
import { makePlaces, type Places } from "./places.ts";
import { newOrder, type Screen, screens } from "./screens.ts";
import { printTable } from "./table.ts";
import { throughputOf } from "./throughput.ts";
import { slowLine, type Visit, visit } from "./visit.ts";

const homeRuns = 5;
const begunAt = performance.now();
const [asked = ""] = process.argv.slice(2);
const visited = screens.filter(({ name }) => name.toLowerCase().includes(asked.toLowerCase()));
const broken: string[] = [];

const chromiumFound = await provideChromium(run, console.log, projectFolder);
console.log(chromiumFound.said);
if (chromiumFound.path === null) process.exit(1);
const executablePath = chromiumFound.path;

const emptyPage = await startEmptyPage();
const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "bench");
try {
  const places = await makePlaces(stack, context);
  const browser = await chromium.launch({ executablePath, args: chromiumArguments });
  const emptyLcp = await benchEmptyPage(browser);
  await benchScreens(browser, places, emptyLcp);
  await browser.close();
  if (asked === "") {
    await benchThroughput(places);
    await benchLighthouse();
  }
} finally {
  await context.db.destroy();
  await stack.stop();
  await emptyPage.stop();
}

console.log(`\nin ${Math.round((performance.now() - begunAt) / 1000)} s`);
for (const sentence of broken) console.log(`over budget: ${sentence}`);
console.log(broken.length === 0 ? "All budgets are kept." : `${broken.length} budgets are broken.`);
process.exit(broken.length === 0 ? 0 : 1);

async function benchEmptyPage(browser: Browser): Promise<number> {
  const visits = await several(homeRuns, () =>
    visit(browser, `${emptyPage.url}/`, { scripts: true, line: slowLine }),
  );
  return medianPaint(visits).lcpMs;
}

async function benchScreens(browser: Browser, places: Places, emptyLcp: number): Promise<void> {
  console.log(`Visiting ${visited.length} screens, with scripts and without: some minutes.`);
  const rows: string[][] = [];
  for (const screen of visited) {
    const { path, browser: visitor } = screen.at(places);
    const isHome = path === paths.home();
    const complaintsOf = (visits: readonly Visit[]) =>
      brokenByPaint(medianPaint(visits), { ...screen, isHome });
    const look = async (scripts: boolean) => {
      const one = () => visit(browser, `${stack.url}${path}`, { visitor, scripts, line: slowLine });
      const visits = await several(isHome ? homeRuns : 1, one);
      // One slow visit may be the machine's. The median of three is the page's.
      return isHome || complaintsOf(visits).length === 0 ? visits : [...visits, ...(await several(2, one))];
    };
    const [withScripts, without] = [await look(true), await look(false)];
    const traffic = withScripts[0]?.traffic;
    if (traffic === undefined) throw new Error(`${screen.name} was not visited`);
    const paints = [medianPaint(withScripts), medianPaint(without)];
    const complaints = [...brokenByTraffic(traffic, screen), ...[withScripts, without].flatMap(complaintsOf)];
    broken.push(...complaints.map((complaint) => `${screen.name}: ${complaint}`));
    rows.push(rowOf(screen, traffic, paints));
  }
  console.log(
    "\nEvery screen, first visit, 400 kbit/s with 400 ms and a processor four times slower; kB on the wire with headers\n",
  );
  printTable(
    ["screen", "React", "HTML", "CSS", "script", "image", "other", "requests", "LCP s", "no scripts", "CLS"],
    rows,
  );
  console.log(`\nThe empty page: LCP ${inSeconds(emptyLcp)} s.`);
}

function rowOf(screen: Screen, { bytes, requests }: Visit["traffic"], paints: readonly Paint[]): string[] {
  return [
    screen.name,
    screen.hydrated ? "yes" : "",
    ...[bytes.document, bytes.stylesheet, bytes.script, bytes.image, bytes.other].map(inKb),
    String(requests),
    ...paints.map(({ lcpMs }) => inSeconds(lcpMs)),
    Math.max(...paints.map(({ cls }) => cls)).toFixed(3),
  ];
}

async function benchThroughput({ begun, owner }: Places): Promise<void> {
  // Each rendered for each request: nothing is kept here, and what a proxy keeps never gets here.
  const pages = [
    { name: "home", url: `${stack.url}/` },
    { name: "login", url: `${stack.url}${paths.login()}` },
    { name: "1 Subscription Details, new", url: `${stack.url}${newOrder}` },
    {
      name: "2 Create Account, of one buyer",
      url: `${stack.url}${begun.path}/create-account`,
      cookie: cookieOf(begun.browser),
    },
    { name: "home, signed in", url: `${stack.url}/`, cookie: cookieOf(owner) },
    {
      name: "subscriptions, signed in",
      url: `${stack.url}${paths.subscriptions()}`,
      cookie: cookieOf(owner),
    },
  ];
  const [empty = 0, ...measured] = await throughputOf([
    { name: "empty page", url: `${emptyPage.url}/` },
    ...pages,
  ]);
  const rows = pages.map(({ name }, index) => {
    const perSecond = measured[index] ?? 0;
    return [name, Math.round(perSecond).toString(), (perSecond / empty).toFixed(2)];
  });
  console.log("\nThroughput\n");
  printTable(
    ["page", "requests/s", "of the empty page"],
    [["empty page", Math.round(empty).toString(), "1.00"], ...rows],
  );
}

/** Home alone is held to its scores; private pages forbid crawlers, which costs theirs of SEO by design. */
async function benchLighthouse(): Promise<void> {
  const audited = [paths.home(), paths.search({ query: "email" }), paths.login(), newOrder];
  const results = await lighthouseOf(
    executablePath,
    audited.map((path) => `${stack.url}${path}`),
  );
  const notes: string[] = [];
  const rows = results.map(({ scores, lost }, index) => {
    const path = audited[index] ?? "";
    const low = Object.entries(scores).filter(([, score]) => score < budgets.lighthouse);
    if (path === paths.home())
      broken.push(...low.map(([category, score]) => `home: Lighthouse ${category} ${score}`));
    notes.push(...lost.map((audit) => `${path} loses by ${audit}`));
    return [path, ...Object.values(scores).map(String)];
  });
  console.log("\nLighthouse, mobile\n");
  printTable(["page", "performance", "accessibility", "best practices", "SEO"], rows);
  if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
}

function cookieOf(browser: Browserless): string {
  return Object.entries(browser.cookies())
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
}

function medianPaint(visits: readonly Visit[]): Paint {
  return {
    lcpMs: median(visits.map(({ paint }) => paint.lcpMs)),
    cls: Math.max(...visits.map(({ paint }) => paint.cls)),
  };
}

async function several<Result>(times: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let done = 0; done < times; done += 1) results.push(await work());
  return results;
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
