/**
 * Faults around a fleet while buyers buy: selected by a seed, one about every half second, and fewer on a machine on which
 * processes start slowly.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Fault } from "#sandbox/vendors/faults.ts";
import type { Fleet, SupervisedProcess } from "#tests/support/fleet.ts";
import { sweepKey } from "./ledger.ts";

type Random = (from: number, to: number) => number;

export interface Chaos {
  /** Number of times of each fault. */
  counts: Readonly<Record<string, number>>;
  /** Stops the faults, and repairs everything that can be repaired. */
  stop(): Promise<void>;
}

const paths = [
  "^/partner-center",
  "^/google-channel",
  "^/google-directory",
  "^/google-token",
  "^/razorpay/v1",
  // Calls that the store itself makes there; buyers have no timeout.
  "^/microsoft-login/.*/token",
  "^/gsp",
];
const faultKinds = ["500", "503", "429", "reset", "reset-after", "500-after", "slow", "timeout"] as const;
/** Start time of a process on an idle machine. */
const usualStartMs = 3_000;
const webhookModes = ["normal", "twice", "late", "never"] as const;

/** @param frozenMs longer than six heartbeats, after which a worker counts as dead */
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

  /**
   * Kills a process, but usually spares one that is starting: on a slow machine it would never be ready.
   * @returns false if it was spared
   */
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

  /** Factor for a slow machine, which keeps the number of faults per step as on a fast one: with more, no buyer would finish. */
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
 * Moves the clock of pending payments and buyers forward by the sweep's quarter of an hour, and by a buyer's last check. Due
 * payments keep their order: a sweep that was killed would otherwise begin with any of them again.
 */
export async function letTimePass({ context }: Fleet): Promise<void> {
  await sql`
    update payment_intents set next_look_at = case when next_look_at > now() then now() else next_look_at end,
      looked_at = looked_at - interval '15 minutes'
    where created_at < now() - interval '5 seconds'`.execute(context.db);
  // A running one is not replaced: if it were killed, it would never be retried.
  await sql`
    select graphile_worker.add_job(
      'sweep-payments', job_key => ${sweepKey}, job_key_mode => 'unsafe_dedupe', priority => -10)`.execute(
    context.db,
  );
}
