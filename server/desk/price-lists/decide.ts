/** Decisions on a price list: reschedule, apply or discard it, and withdraw an applied list until its day begins. */

import {
  type DatedPrice,
  deleteDatedPrices,
  findFirstPriceDate,
  insertDatedPrices,
} from "#db/catalogue/dated-prices.ts";
import {
  lockPriceList,
  type PriceList,
  setPriceListDay,
  setPriceListState,
} from "#db/catalogue/price-lists.ts";
import type { PriceListId } from "#db/ids.ts";
import type { PriceListState } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { type ComparedLine, isApplied, isLeftOut } from "./compare.ts";
import { diffOf } from "./diff.ts";
import { hasDayPassedEverywhere, requireFutureDay } from "./import.ts";
import { lineVerdictSummary, priceListStateLabels } from "./labels.ts";

export interface PriceListDecision extends AuditActor {
  id: PriceListId;
  /** Reason, in the member of staff's own words. */
  reason?: string | undefined;
  now: Date;
}

/**
 * Sets the prices of a list from its day on.
 * @param decision.leaveOut whether the lines that cannot be applied are left out
 * @returns the number of prices that were set
 * @throws DomainError not_found; conflict for a list that is not waiting, whose day is over, that changes nothing, has lines that
 * cannot be applied, or sets a price that another list sets from the same moment on
 */
export async function applyPriceList(
  { db, env }: Pick<Context, "db" | "env">,
  { leaveOut, ...decision }: PriceListDecision & { leaveOut: boolean },
): Promise<number> {
  const { id, now } = decision;
  return db.transaction().execute(async (trx) => {
    const list = await lockIn(trx, id, "waiting");
    if (list.fromDay !== null && hasDayPassedEverywhere(list.fromDay, now))
      throw new DomainError("conflict", `${list.fromDay} has passed. Import the list again with a new date.`);
    const { lines } = await diffOf({ db: trx, env }, list, now);
    const without = lines.filter(isLeftOut);
    if (without.length > 0 && !leaveOut)
      throw new DomainError(
        "conflict",
        `${without.length} of ${lines.length} lines cannot be applied: ${lineVerdictSummary(without)}. Correct the list, or apply it without them.`,
      );
    const prices = lines.filter(isApplied).flatMap(datedOf);
    if (prices.length === 0) throw new DomainError("conflict", `Price list ${id} changes nothing.`);
    const [taken] = await insertDatedPrices(trx, id, prices);
    if (taken !== undefined)
      throw new DomainError(
        "conflict",
        `Another list sets the price of ${taken.itemId} from the same date. Revert that one first.`,
      );
    const facts = { from: list.fromDay, prices: prices.length, left: without.length };
    await moveTo(trx, list, "applied", decision, facts);
    return prices.length;
  });
}

function datedOf({ key, after, from }: ComparedLine): DatedPrice[] {
  if (key === null) return [];
  return [{ ...key, from, amountMinor: after.amount.minor, listMinor: after.list?.minor ?? null }];
}

/** @throws DomainError not_found; conflict for a list that is not waiting */
export async function discardPriceList(
  { db }: Pick<Context, "db">,
  decision: PriceListDecision,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await moveTo(trx, await lockIn(trx, decision.id, "waiting"), "discarded", decision);
  });
}

/**
 * Moves a list to another day; its diff is recomputed for that day.
 * @param decision.fromDay "2026-12-01", or null for the moment in which it is applied
 * @throws DomainError not_found; bad_request for a text that is not a day, or a past day; conflict for a list that is not waiting
 */
export async function reschedulePriceList(
  { db }: Pick<Context, "db">,
  { fromDay, ...decision }: PriceListDecision & { fromDay: string | null },
): Promise<void> {
  const { id, by, staffId, reason, now } = decision;
  requireFutureDay(fromDay, now);
  await db.transaction().execute(async (trx) => {
    const list = await lockIn(trx, id, "waiting");
    await setPriceListDay(trx, id, fromDay);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "price-list.day",
      subject: `price-list:${id}`,
      data: { by, ...(reason !== undefined && { reason }), before: list.fromDay, after: fromDay },
    });
  });
}

/**
 * Undoes a list before the first of its prices is in force.
 * @returns the number of prices that it had set
 * @throws DomainError not_found; conflict for a list that was not applied, or whose prices have begun
 */
export async function withdrawPriceList(
  { db }: Pick<Context, "db">,
  decision: PriceListDecision,
): Promise<number> {
  const { id, now } = decision;
  return db.transaction().execute(async (trx) => {
    const list = await lockIn(trx, id, "applied");
    const first = await findFirstPriceDate(trx, id);
    if (first === null || first <= now)
      throw new DomainError(
        "conflict",
        `The prices in list ${id} are already in force. Import a new list to change them.`,
      );
    const count = await deleteDatedPrices(trx, id);
    await moveTo(trx, list, "taken-back", decision, { prices: count });
    return count;
  });
}

async function lockIn(trx: Trx, id: PriceListId, state: PriceListState): Promise<PriceList> {
  const list = await lockPriceList(trx, id);
  if (list === null) throw new DomainError("not_found", `Price list ${id} not found.`);
  if (list.state === state) return list;
  throw new DomainError(
    "conflict",
    `Price list ${id} is ${priceListStateLabels[list.state]}, and not ${priceListStateLabels[state]}.`,
  );
}

const actions = { applied: "apply", discarded: "discard", "taken-back": "take-back" } as const;

async function moveTo(
  trx: Trx,
  { id, source, state: before }: PriceList,
  state: keyof typeof actions,
  { by, staffId, reason, now }: PriceListDecision,
  facts: Readonly<Record<string, string | number | null>> = {},
): Promise<void> {
  await setPriceListState(trx, id, { state, by, now });
  await recordAudit(trx, {
    userId: null,
    staffId,
    action: `price-list.${actions[state]}`,
    subject: `price-list:${id}`,
    data: { by, ...(reason !== undefined && { reason }), source, before, after: state, ...facts },
  });
}
