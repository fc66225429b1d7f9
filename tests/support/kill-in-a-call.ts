/**
 * Kills the worker while it waits for one call to the payment provider, before or after the call takes effect, and starts it
 * again.
 */
import type { Db } from "#db/tables/index.ts";
import type { FaultWorld } from "./fault-world.ts";
import { until } from "./until.ts";

export interface NamedCall {
  method: string;
  /** Regular expression for the path. */
  path: string;
}

const kinds = ["hang-before", "hang-after"] as const;
export type HangKind = (typeof kinds)[number];

/** Each call, hanging before its effect and after it. */
export function hangsAtEachCall(
  calls: Record<string, NamedCall>,
): { name: string; match: NamedCall; kind: HangKind }[] {
  return Object.entries(calls).flatMap(([name, match]) => kinds.map((kind) => ({ name, match, kind })));
}

/** @param options.meanwhile runs while there is no worker */
export async function killDuringCall(
  { stack, sides }: Pick<FaultWorld, "stack" | "sides">,
  { match, kind }: { match: NamedCall; kind: HangKind },
  {
    begin = nothing,
    meanwhile = nothing,
  }: { begin?: () => Promise<unknown>; meanwhile?: () => Promise<unknown> } = {},
): Promise<void> {
  await sides.provider.faults({ match, kind });
  const { journal } = await sides.provider.state();
  await stack.startWorker();
  await begin();
  await until("the call hangs", async () => {
    const calls = (await sides.provider.state()).journal.slice(journal.length);
    return calls.some(({ method, path }) => method === match.method && new RegExp(match.path).test(path));
  });
  await stack.killWorker();
  await ageClaims(sides.context.db);
  await sides.provider.faults();
  await meanwhile();
  await stack.startWorker();
}

/** Backdates the claims of the killed worker by an hour, so that the next one need not wait until they are stale. */
async function ageClaims(db: Db): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ asked_at: new Date(Date.now() - 3_600_000) })
    .where("asked_at", "is not", null)
    .execute();
}

const nothing = async () => undefined;
