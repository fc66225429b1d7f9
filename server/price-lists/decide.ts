/** What is decided on a price list: it is applied, or discarded; once applied it can be taken back until its day begins. */
import type { PriceListId } from "#db/ids.ts";
import {
  type DatedPrice,
  deleteDatedPrices,
  firstPriceOf,
  insertDatedPrices,
  lockPriceList,
  type PriceList,
  setPriceListState,
} from "#db/price-lists.ts";
import type { PriceListState } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { type ComparedLine, isApplied, isLeftOut } from "./compare.ts";
import { diffOf } from "./diff.ts";
import { isOver } from "./import.ts";
import { stateWords, verdictWords } from "./words.ts";

export interface Decision {
  id: PriceListId;
  by: string;
  now: Date;
}

/**
 * Sets the prices of a list from its day on.
 * @param decision.leaveOut whether the lines that cannot be applied are left out
 * @returns how many prices were set
 * @throws DomainError not_found; conflict for a list that does not wait, whose day is over, that changes nothing, has lines that cannot
 * be applied, or sets a price that another list sets from the same moment on
 */
export async function applyPriceList(
  { db, env }: Pick<Context, "db" | "env">,
  { id, by, now, leaveOut }: Decision & { leaveOut: boolean },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const list = await lockIn(trx, id, "waiting");
    if (list.fromDay !== null && isOver(list.fromDay, now))
      throw new DomainError("conflict", `${list.fromDay} is over: import the list again for another day.`);
    const { lines } = await diffOf({ db: trx, env }, list, now);
    const without = lines.filter(isLeftOut);
    if (without.length > 0 && !leaveOut)
      throw new DomainError(
        "conflict",
        `${without.length} of ${lines.length} lines cannot be applied: ${verdictWords(without)}. Correct the list, or apply it without them.`,
      );
    const prices = lines.filter(isApplied).flatMap(datedOf);
    if (prices.length === 0) throw new DomainError("conflict", `Price list ${id} changes nothing.`);
    const [taken] = await insertDatedPrices(trx, id, prices);
    if (taken !== undefined)
      throw new DomainError(
        "conflict",
        `Another list sets the price of ${taken.itemId} from the same day on: take that one back first.`,
      );
    await moveTo(
      trx,
      list,
      "applied",
      { by, now },
      { from: list.fromDay, prices: prices.length, left: without.length },
    );
    return prices.length;
  });
}

function datedOf({ key, after, from }: ComparedLine): DatedPrice[] {
  if (key === null) return [];
  return [{ ...key, from, amountMinor: after.amount.minor, listMinor: after.list?.minor ?? null }];
}

/** @throws DomainError not_found; conflict for a list that does not wait */
export async function discardPriceList(
  { db }: Pick<Context, "db">,
  { id, by, now }: Decision,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await moveTo(trx, await lockIn(trx, id, "waiting"), "discarded", { by, now });
  });
}

/**
 * Undoes a list before the first of its prices is in force.
 * @returns how many prices it had set
 * @throws DomainError not_found; conflict for a list that was not applied, or whose prices have begun
 */
export async function takeBackPriceList(
  { db }: Pick<Context, "db">,
  { id, by, now }: Decision,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const list = await lockIn(trx, id, "applied");
    const first = await firstPriceOf(trx, id);
    if (first === null || first <= now)
      throw new DomainError(
        "conflict",
        `The prices of list ${id} are in force already: import a list with the prices that are to follow them.`,
      );
    const count = await deleteDatedPrices(trx, id);
    await moveTo(trx, list, "taken-back", { by, now }, { prices: count });
    return count;
  });
}

async function lockIn(trx: Trx, id: PriceListId, state: PriceListState): Promise<PriceList> {
  const list = await lockPriceList(trx, id);
  if (list === null) throw new DomainError("not_found", `There is no price list ${id}.`);
  if (list.state === state) return list;
  throw new DomainError(
    "conflict",
    `Price list ${id} is ${stateWords[list.state]}, and not ${stateWords[state]}.`,
  );
}

const actions = { applied: "apply", discarded: "discard", "taken-back": "take-back" } as const;

async function moveTo(
  trx: Trx,
  { id, source }: PriceList,
  state: keyof typeof actions,
  { by, now }: { by: string; now: Date },
  data: Readonly<Record<string, string | number | null>> = {},
): Promise<void> {
  await setPriceListState(trx, id, { state, by, now });
  const action = `price-list.${actions[state]}`;
  await record(trx, { userId: null, action, subject: `price-list:${id}`, data: { by, source, ...data } });
}
