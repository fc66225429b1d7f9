/**
 * `npm run bench -- cost [SEED]`: the maximum cost of a request of 8 kB, whatever its content. Requests every address, form and
 * call as a visitor, an owner and a member of staff, and fails for one that costs the process or the database more CPU time than
 * its budget, as the minimum of five. Requires a PostgreSQL on this machine in TEST_DATABASE_URL.
 */
import { randomInt } from "node:crypto";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { trustHttpBrowser } from "#tests/support/http-browser.ts";
import { startStack } from "#tests/support/stack.ts";
import { budgets } from "./budgets.ts";
import { type Case, casesOf } from "./cost/cases.ts";
import { type Cost, judgeOf } from "./cost/judge.ts";
import { startMeter } from "./cost/meter.ts";
import { routesVersion, walkStore } from "./cost/walk.ts";
import { makePlaces } from "./places.ts";
import { printTable } from "./table.ts";

const bytes = 8_000;
const dearest = 10;
/** Addresses that are expensive for any request, each with the reason. */
const excepted: readonly { address: RegExp; because: string }[] = [
  {
    address: /\/documents\.zip/,
    because: "Draws every document of a list, in a separate thread and 60 times per network in 10 minutes.",
  },
  {
    address: /\.pdf/,
    because: "Draws a document, in a separate thread and within a limit per network, whatever else is sent.",
  },
];
const [, given = String(randomInt(2 ** 31))] = process.argv.slice(2);
const seed = Number(given);
if (!Number.isSafeInteger(seed)) throw new Error(`Expected a seed, got "${given}"`);
if ((process.env.TEST_DATABASE_URL ?? "") === "")
  throw new Error("Set TEST_DATABASE_URL: see docs/CONTRIBUTING.md");

const stack = await startStack({ worker: false, env: trustHttpBrowser });
const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "bench");
const meter = await startMeter({ webPid: stack.webPid(), databaseUrl: stack.databaseUrl });
const measured: { of: Case; cost: Cost }[] = [];
try {
  const places = await makePlaces(stack, context);
  const walk = await walkStore(places);
  const cases = casesOf(walk, seed, await routesVersion(places.stranger));
  const { places: addresses, forms, calls } = walk;
  console.log(
    `Seed ${seed}: ${cases.length} requests to ${addresses.length} addresses, ${forms.length} forms and ${calls.length} calls.`,
  );
  const judge = judgeOf(stack.url, meter);
  for (const of of cases) {
    const first = await judge.once(of, bytes);
    if (measured.length % 1_000 === 999) console.log(`  ${measured.length + 1}`);
    const isDear = first.web > budgets.request.webMs / 2 || first.database > budgets.request.databaseMs / 2;
    measured.push({ of, cost: isDear ? await judge.least(of, bytes, first) : first });
  }
} finally {
  // A process that crashed during a request explains why the next one was not answered.
  for (const error of stack.unexpectedErrors()) console.error(error);
  await meter.stop();
  await context.db.destroy();
  await stack.stop();
}
report();
const broken = measured
  .filter(({ of }) => excepted.every(({ address }) => !address.test(of.about)))
  .filter(({ cost }) => cost.web > budgets.request.webMs || cost.database > budgets.request.databaseMs);
for (const { address, because } of excepted) {
  const costs = measured.filter(({ of }) => address.test(of.about)).map(({ cost }) => cost.web);
  console.log(`excepted: ${address.source}, at most ${ms(Math.max(...costs))} ms: ${because}`);
}
for (const { of, cost } of broken)
  console.log(`over budget: ${caseLabel(of)}: ${ms(cost.web)} and ${ms(cost.database)} ms`);
console.log(broken.length === 0 ? "All budgets are kept." : `${broken.length} budgets are broken.`);
process.exit(broken.length === 0 ? 0 : 1);

function report(): void {
  const kinds = [...new Set(measured.map(({ of }) => of.kind))];
  console.log("\nRequests of 8 kB, and the dearest of each class in ms of CPU time\n");
  printTable(
    [
      "class",
      "requests",
      "visitor",
      "owner",
      "staff",
      "200",
      "other 2xx, 3xx",
      "4xx",
      "429",
      "5xx",
      "process",
      "database",
    ],
    kinds.map((kind) => {
      const ofKind = measured.filter(({ of }) => of.kind === kind);
      const count = (is: (each: (typeof ofKind)[number]) => boolean) => String(ofKind.filter(is).length);
      return [
        kind,
        String(ofKind.length),
        ...["visitor", "owner", "staff"].map((who) => count(({ of }) => of.who === who)),
        count(({ cost }) => cost.status === 200),
        count(({ cost }) => cost.status > 200 && cost.status < 400),
        count(({ cost }) => cost.status >= 400 && cost.status < 500 && cost.status !== 429),
        count(({ cost }) => cost.status === 429),
        count(({ cost }) => cost.status >= 500),
        ms(Math.max(...ofKind.map(({ cost }) => cost.web))),
        ms(Math.max(...ofKind.map(({ cost }) => cost.database))),
      ];
    }),
  );
  for (const by of ["web", "database"] as const) {
    console.log(`\nThe dearest for the ${by === "web" ? "process" : "database"}\n`);
    const sorted = measured.toSorted((one, other) => other.cost[by] - one.cost[by]).slice(0, dearest);
    printTable(
      ["request", "status", "process ms", "database ms"],
      sorted.map(({ of, cost }) => [caseLabel(of), String(cost.status), ms(cost.web), ms(cost.database)]),
    );
  }
}

function caseLabel({ kind, who, about }: Case): string {
  return `${kind}, ${who}: ${about}`;
}

function ms(value: number): string {
  return value.toFixed(1);
}
