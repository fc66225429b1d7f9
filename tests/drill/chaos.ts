/**
 * What goes wrong around a fleet while buyers buy: drawn from a seed, one thing every half second or so, and more rarely on a machine on
 * which processes start slowly.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { Fleet, SupervisedProcess } from "#tests/support/fleet.ts";
import { sweepKey } from "./ledger.ts";

type Random = (from: number, to: number) => number;

export interface Chaos {
  /** How often each thing went wrong. */
  counts: Readonly<Record<string, number>>;
  /** Ends it, and puts everything right again but what has been done. */
  stop(): Promise<void>;
}

const paths = [
  "^/partner-center",
  "^/google-channel",
  "^/google-directory",
  "^/google-token",
  "^/razorpay/v1",
  // What the store asks there; buyers have no time-out.
  "^/microsoft-login/.*/token",
  "^/gsp",
];
const faultKinds = ["500", "503", "429", "reset", "reset-after", "500-after", "slow", "timeout"] as const;
/** Start time of a process on an idle machine. */
const usualStartMs = 3_000;
const webhookModes = ["normal", "twice", "late", "never"] as const;

/** @param frozenMs longer than six heartbeats, after which a worker is taken for dead */
export function startChaos(fleet: Fleet, random: Random, frozenMs: number): Chaos {
  const { sides, webs, workers } = fleet;
  const counts: Record<string, number> = {};
  const stopping = new AbortController();
  const thawing = new Set<Promise<void>>();
  const pick = <Each>(all: readonly Each[]): Each => {
    const found = all[random(0, all.length)];
    if (found === undefined) throw new Error("Nothing to pick from");
    return found;
  };
  const freeze = (kept: SupervisedProcess, ms: number) => {
    const frozen = kept.freeze(ms).finally(() => thawing.delete(frozen));
    thawing.add(frozen);
  };

  /** One that is starting is mostly spared: a slow machine would never have it at work. @returns false where it was spared */
  const kill = (kept: SupervisedProcess) => {
    const isSpared = random(0, 4) > 0 && kept.isStarting();
    if (!isSpared) kept.kill();
    return !isSpared;
  };

  const acts: Record<string, () => Promise<unknown>> = {
    "workers killed": async () => kill(pick(workers)),
    "webs killed": async () => kill(pick(webs)),
    "sessions cut": () => fleet.cutSessions(),
    "workers frozen": async () => freeze(pick(workers), frozenMs),
    "webs frozen": async () => freeze(pick(webs), random(500, 2_500)),
    "faults set": () => sides.controls.faults(...Array.from({ length: random(1, 4) }, fault)),
    "webhook modes": () => sides.provider.webhooks(...webhooks()),
    "notice modes": () => sides.controls.notices(pick(webhookModes), random(500, 4_000)),
  };
  const fault = (): Fault => ({
    match: { path: pick(paths) },
    kind: pick(faultKinds),
    times: random(1, 5),
    delayMs: random(200, 3_000),
  });
  const webhooks = (): [(typeof webhookModes)[number], number] => [pick(webhookModes), random(500, 4_000)];

  /** Factor for a slow machine, so that as much goes wrong in each step of a buyer as on a fast one: more, and no buyer would finish. */
  const slowness = () => Math.max(1, ...[...webs, ...workers].map((kept) => kept.startMs() / usualStartMs));

  const raging = (async () => {
    while (!stopping.signal.aborted) {
      const name = pick(Object.keys(acts));
      if ((await acts[name]?.()) !== false) counts[name] = (counts[name] ?? 0) + 1;
      await letTimePass(fleet);
      await sleep(random(200, 1_000) * slowness(), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  })();

  return {
    counts,
    async stop() {
      stopping.abort();
      await raging;
      await Promise.all(thawing);
      await sides.controls.faults();
      await sides.provider.webhooks("normal");
      await sides.controls.notices("normal");
    },
  };
}

/**
 * As if the sweeper's quarter of an hour had passed for every payment that was begun some seconds ago, and for a buyer's last look. Those
 * that are due keep their turn: a sweep that is killed in its midst would else begin with any of them again.
 */
export async function letTimePass({ context }: Fleet): Promise<void> {
  await sql`
    update payment_intents set next_look_at = case when next_look_at > now() then now() else next_look_at end,
      looked_at = looked_at - interval '15 minutes'
    where created_at < now() - interval '5 seconds'`.execute(context.db);
  // One that runs is not replaced: killed then, it would never be tried again.
  await sql`
    select graphile_worker.add_job(
      'sweep-payments', job_key => ${sweepKey}, job_key_mode => 'unsafe_dedupe', priority => -10)`.execute(
    context.db,
  );
}
