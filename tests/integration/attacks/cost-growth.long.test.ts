/**
 * Twice the input costs at most twice the CPU time of the process and the database, for a sample of the bench's hostile
 * requests (`npm run bench -- cost`) at two sizes. The bench sets the absolute limits.
 */
import { randomInt } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { type Case, casesOf } from "#tests/bench/cost/cases.ts";
import { type Cost, judgeOf, repeats } from "#tests/bench/cost/judge.ts";
import { startMeter } from "#tests/bench/cost/meter.ts";
import { routesVersion, walkStore } from "#tests/bench/cost/walk.ts";
import { makePlaces } from "#tests/bench/places.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { startStore } from "#tests/support/store.ts";

const seed = Number(process.env.COST_SEED ?? randomInt(2 ** 31));
const input = 800;
const [half, whole] = [4_000, 8_000];
/** Variation between identical requests, in milliseconds of CPU time. */
const noise = 10;

const { stack, context } = await startStore();
const meter = await startMeter({ webPid: stack.webPid(), databaseUrl: stack.databaseUrl });
afterAll(() => meter.stop());
const judge = judgeOf(stack.url, meter);

const isMore = (more: Cost, less: Cost) =>
  more.web > 2 * less.web + noise || more.database > 2 * less.database + noise;

/** Compares the minimum of several repeats, because other work on the machine only adds time. */
async function growsFaster(of: Case): Promise<string[]> {
  let [less, more] = [await judge.once(of, half), await judge.once(of, whole)];
  for (let round = 0; round < 2 * repeats && isMore(more, less); round += 1) {
    // If the shorter request gets another status, it is not comparable.
    if (less.status !== more.status) return [];
    const [again, longer] = [await judge.once(of, half), await judge.once(of, whole)];
    less = {
      ...again,
      web: Math.min(less.web, again.web),
      database: Math.min(less.database, again.database),
    };
    more = {
      ...longer,
      web: Math.min(more.web, longer.web),
      database: Math.min(more.database, longer.database),
    };
  }
  return isMore(more, less)
    ? [`${of.kind}, ${of.who}: ${of.about}: ${reportOf(less)}, then ${reportOf(more)}`]
    : [];
}

const reportOf = ({ status, web, database }: Cost) =>
  `${status} for ${web.toFixed(1)} and ${database.toFixed(1)} ms`;

test.skipIf(process.platform !== "linux")(
  `costs at most twice as much for twice the input (COST_SEED=${seed})`,
  { timeout: 1_500_000 },
  async () => {
    const places = await makePlaces(stack, context);
    const all = casesOf(await walkStore(places), seed, await routesVersion(places.stranger));
    const random = seededRandom(seed);
    const chosen = Array.from({ length: input }, () => all[random(0, all.length)]).filter(
      (of) => of !== undefined,
    );
    expect(new Set(chosen.map(({ kind }) => kind)).size).toBeGreaterThan(8);
    const complaints: string[] = [];
    for (const of of chosen) complaints.push(...(await growsFaster(of)));
    expect(complaints).toEqual([]);
  },
);
