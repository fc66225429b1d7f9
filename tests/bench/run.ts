/**
 * `npm run bench`: every screen on a slow line against the budgets, the server's throughput relative to an empty page's, and
 * Lighthouse. Takes minutes; ends with the exceeded budgets, and a code that shows whether there are any. `npm run bench --
 * "Create Account"` measures the screens with those words in their names, and no throughput.
 */
import { type Browser, chromium } from "playwright";
import * as paths from "#server/foundation/paths.ts";
import { projectFolder } from "#server/operations/built-commands.mjs";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { chromiumArguments } from "#tests/e2e/chromium-arguments.ts";
import { provideChromium } from "#tests/support/chromium.mjs";
import { runInherited } from "#tests/support/run-inherited.ts";
import { startStack } from "#tests/support/stack.ts";
import {
  brokenByPaint,
  brokenByScores,
  brokenByTraffic,
  inKb,
  median,
  type Paint,
  type Scores,
  scoreNames,
} from "./budgets.ts";
import { startEmptyPage } from "./empty-page.ts";
import { type Auditor, openAuditor } from "./lighthouse.ts";
import { makePlaces, type Places } from "./places.ts";
import { type Screen, screens } from "./screens.ts";
import { printTable } from "./table.ts";
import { benchThroughput, cookieOf } from "./throughput.ts";
import { slowLine, type Visit, visit } from "./visit.ts";

const homeRuns = 5;
/** Lighthouse refuses pages with status 404, and empty ones. */
const notAudited = ["not found", "sync"];
const begunAt = performance.now();
const [requested = ""] = process.argv.slice(2);
const visited = screens.filter(({ name }) => name.toLowerCase().includes(requested.toLowerCase()));
const broken: string[] = [];

const chromiumFound = await provideChromium(runInherited, console.log, projectFolder);
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
  if (requested === "") await benchThroughput(stack.url, `${emptyPage.url}/`, places);
  await benchLighthouse(places);
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
    const { path, browser: visitor } = await screen.at(places);
    const isHome = path === paths.home();
    const complaintsOf = (visits: readonly Visit[]) =>
      brokenByPaint(medianPaint(visits), { ...screen, isHome });
    const look = async (scripts: boolean) => {
      const one = () => visit(browser, `${stack.url}${path}`, { visitor, scripts, line: slowLine });
      const visits = await several(isHome ? homeRuns : 1, one);
      // A single slow visit may be the machine's fault. The median of three counts.
      return isHome || complaintsOf(visits).length === 0 ? visits : [...visits, ...(await several(2, one))];
    };
    const [withScripts, without] = [await look(true), await look(false)];
    const traffic = withScripts[0]?.traffic;
    if (traffic === undefined) throw new Error(`${screen.name} was not visited`);
    const paints = [medianPaint(withScripts), medianPaint(without)];
    const complaints = [...brokenByTraffic(traffic, screen), ...[withScripts, without].flatMap(complaintsOf)];
    broken.push(...complaints.map((complaint) => `${screen.name}: ${complaint}`));
    rows.push(rowOf(screen, traffic, paints));
    // A run that is aborted still prints what it measured.
    console.log(
      [screen.name, ...paints.map(({ lcpMs }) => `${inSeconds(lcpMs)} s`), ...complaints].join(", "),
    );
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

async function benchLighthouse(places: Places): Promise<void> {
  const auditor = await openAuditor(executablePath);
  const notes: string[] = [];
  const rows: string[][] = [];
  for (const screen of visited.filter(({ name }) => !notAudited.includes(name))) {
    const { scores, complaints, lost } = await auditOf(auditor, screen, places);
    broken.push(...complaints.map((complaint) => `${screen.name}: ${complaint}`));
    notes.push(...lost.map((audit) => `${screen.name} loses by ${audit}`));
    rows.push([screen.name, ...scoreNames.map((name) => String(scores[name]))]);
  }
  await auditor.close();
  console.log("\nLighthouse, mobile\n");
  printTable(["page", ...scoreNames], rows);
  if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
}

/** One audit, and the median of three if its scores are too low. */
async function auditOf(auditor: Auditor, screen: Screen, places: Places) {
  const { path, browser: visitor } = await screen.at(places);
  const { text } = await visitor.get(path);
  const kind = { ...screen, isHome: path === paths.home(), indexed: !text.includes('content="noindex"') };
  const one = () => auditor.audit(`${stack.url}${path}`, cookieOf(visitor));
  const first = await one();
  const audits =
    brokenByScores(first.scores, kind).length === 0 ? [first] : [first, ...(await several(2, one))];
  const of = (name: keyof Scores) => median(audits.map(({ scores }) => scores[name]));
  const scores: Scores = {
    performance: of("performance"),
    accessibility: of("accessibility"),
    "best-practices": of("best-practices"),
    seo: of("seo"),
  };
  const complaints = brokenByScores(scores, kind);
  return { scores, complaints, lost: complaints.length === 0 ? [] : first.lost };
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
