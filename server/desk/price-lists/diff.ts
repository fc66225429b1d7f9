/**
 * Diff of a price list and its effects: unpaid orders that keep the old price, and subscriptions that renew at the new one
 * (docs/decisions/prices.md#price-lists).
 */

import { listPricedItems, type PricedItem, pricesAt } from "#db/catalogue/dated-prices.ts";
import {
  countDraftsWithPriceHold,
  countRenewable,
  type PricedDrafts,
  type PricingKey,
  type RenewalGroup,
} from "#db/catalogue/price-change-effects.ts";
import {
  listLines,
  type PriceKey,
  type PriceList,
  type PriceListLine,
  priceKeyText,
} from "#db/catalogue/price-lists.ts";
import { type CostQuery, findCharges } from "#db/catalogue/vendor-prices.ts";
import { type Money, money } from "#db/money.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { add, zero } from "#server/catalogue/pricing/money.ts";
import { signupSeats } from "#server/catalogue/pricing/total.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { countryOfCurrency, currencyOf } from "#server/foundation/countries/registry.ts";
import { priceHoldMs } from "#server/orders/pricing.ts";
import { startOfDay } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { type ComparedLine, compareLines, isApplied } from "./compare.ts";

export interface PriceListDiff {
  list: PriceList;
  lines: DiffLine[];
  /** Items by id. */
  items: ReadonlyMap<string, PricedItem>;
  /** All unpaid orders that keep a price that the list changes; null when there are none. */
  drafts: DraftsWithPriceHold | null;
  /** All subscriptions, by currency, that renew at a price that the list changes. */
  renewals: Renewals[];
}

export interface DiffLine extends ComparedLine {
  drafts: DraftsWithPriceHold | null;
  renewals: Renewals | null;
}

/** Unpaid orders that keep the old price when the new one begins. */
export interface DraftsWithPriceHold {
  count: number;
  /** Number of them with a proforma or a payment link. */
  promised: number;
  /** Time at which the last of them gets the new price. */
  until: Date;
}

/** Active subscriptions, assuming that each is renewed with its present licences. */
export interface Renewals {
  subscriptions: number;
  seats: number;
  /**
   * Additional cost of their renewals in the following twelve months, before tax; negative for less. A monthly term is renewed
   * twelve times.
   */
  moreInYear: Money;
}

/** @param list as stored. A list that was decided is compared as of the decision. */
export async function diffOf(
  { db, env }: Pick<Context, "db" | "env">,
  list: PriceList,
  now: Date,
): Promise<PriceListDiff> {
  const lines = await listLines(db, list.id);
  const items = new Map((await listPricedItems(db)).map((item) => [item.id, item]));
  const moments = startTimesOf(list, lines, now);
  const from = ({ currency }: Pick<PriceListLine, "currency">) => moments.get(currency) ?? now;
  const inForce = new Map(
    await Promise.all(
      [...moments].map(async ([currency, at]) => [currency, await pricesAt(db, at, list.id)] as const),
    ),
  );
  const compared = compareLines(lines, {
    from,
    before: ({ currency }) => inForce.get(currency) ?? new Map(),
    costs: await costsOf({ db, env }, lines, items, from),
  });
  const touched = await touchedBy(db, list, moments, now);
  const ofLine = (line: ComparedLine): DiffLine => ({
    ...line,
    drafts: heldBy(isApplied(line) ? touched.draftsOf(line) : []),
    renewals: isApplied(line) ? renewalsOf([line], touched) : null,
  });
  const applied = compared.filter(isApplied);
  return {
    list,
    lines: compared.map(ofLine),
    items,
    // One order may contain both kinds of price.
    drafts: heldBy([...new Set(applied.flatMap(touched.draftsOf))]),
    renewals: [...moments.keys()].flatMap((currency) => {
      const sum = renewalsOf(
        applied.filter(({ after }) => after.amount.currency === currency),
        touched,
      );
      return sum === null ? [] : [sum];
    }),
  };
}

/** Returns the start of a list's prices in each of its currencies: its day there, and never before it was applied. */
export function startTimesOf(
  { fromDay, state, stateAt }: Pick<PriceList, "fromDay" | "state" | "stateAt">,
  lines: readonly Pick<PriceListLine, "currency">[],
  now: Date,
): ReadonlyMap<Currency, Date> {
  const earliest = state === "waiting" ? now : stateAt;
  return new Map(
    [...new Set(lines.map(({ currency }) => currency))].map((currency) => {
      return [currency, startTimeIn(countryOfCurrency(currency), fromDay, earliest)];
    }),
  );
}

/** @param day null for none */
export function startTimeIn(country: Country, day: string | null, earliest: Date): Date {
  if (day === null) return earliest;
  return new Date(Math.max(startOfDay(day, country).getTime(), earliest.getTime()));
}

/** Returns the highest cost when several countries share a currency. */
async function costsOf(
  { db, env }: Pick<Context, "db" | "env">,
  lines: readonly PriceListLine[],
  items: ReadonlyMap<string, PricedItem>,
  from: (line: PriceListLine) => Date,
): Promise<ReadonlyMap<string, Money | null>> {
  const markets = listVendorMarkets({ env });
  const queries = lines.flatMap((line): (CostQuery & PriceKey)[] => {
    const { itemId, currency, kind, term, billingCycle } = line;
    const family = itemId === null ? undefined : items.get(itemId)?.family;
    if (itemId === null || family === undefined) return [];
    const key = { itemId, currency, kind, term, billingCycle };
    return markets
      .filter((market) => market.family === family && currencyOf(market.country) === currency)
      .map(({ country, account }) => ({ ...key, family, country, account, quantity: 1, now: from(line) }));
  });
  const costs = new Map<string, Money>();
  (await findCharges(db, queries)).forEach((charge, index) => {
    const one = queries[index];
    if (one === undefined || charge === null) return;
    const key = priceKeyText(one);
    const known = costs.get(key);
    if (known === undefined || known.minor < charge.cost.minor) costs.set(key, charge.cost);
  });
  return costs;
}

interface Touched {
  draftsOf(line: ComparedLine): PricedDrafts[];
  renewedOf(line: ComparedLine): RenewalGroup[];
}

/** Returns the affected orders and subscriptions; none for a list whose prices have begun. */
async function touchedBy(
  db: Db,
  { state }: PriceList,
  moments: ReadonlyMap<Currency, Date>,
  now: Date,
): Promise<Touched> {
  const ahead = [...moments].filter(([, from]) => state === "waiting" || (state === "applied" && from > now));
  const drafts = new Map(
    await Promise.all(
      ahead.map(async ([currency, from]) => {
        const hold = { holdMs: priceHoldMs, signupSeats };
        return [currency, await countDraftsWithPriceHold(db, from, hold)] as const;
      }),
    ),
  );
  const renewable = ahead.length === 0 ? [] : await countRenewable(db);
  const isAhead = ({ after }: ComparedLine) => ahead.some(([currency]) => currency === after.amount.currency);
  return {
    draftsOf: (line) =>
      (drafts.get(line.after.amount.currency) ?? []).filter(
        (group) =>
          isPricedBy(group, line) && (line.key?.kind === "signup" ? group.hasSignup : group.hasRegular),
      ),
    // A renewal has no sign-up price.
    renewedOf: (line) =>
      isAhead(line) && line.key?.kind === "regular"
        ? renewable.filter((group) => isPricedBy(group, line))
        : [],
  };
}

function isPricedBy({ itemId, country, term, billingCycle }: PricingKey, { key }: ComparedLine): boolean {
  return (
    key !== null &&
    key.itemId === itemId &&
    key.currency === currencyOf(country) &&
    key.term === term &&
    key.billingCycle === billingCycle
  );
}

function heldBy(groups: readonly PricedDrafts[]): DraftsWithPriceHold | null {
  if (groups.length === 0) return null;
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    promised: groups.reduce((sum, { promised }) => sum + promised, 0),
    until: new Date(Math.max(...groups.map(({ until }) => until.getTime()))),
  };
}

/** @param lines of one currency */
function renewalsOf(lines: readonly ComparedLine[], { renewedOf }: Touched): Renewals | null {
  const [first] = lines;
  const groups = lines.flatMap((line) => renewedOf(line).map((group) => ({ line, group })));
  if (first === undefined || groups.length === 0) return null;
  const { currency } = first.after.amount;
  return {
    subscriptions: groups.reduce((sum, { group }) => sum + group.subscriptions, 0),
    seats: groups.reduce((sum, { group }) => sum + group.seats, 0),
    moreInYear: groups.reduce(
      (sum, { line, group }) => add(sum, money(group.seats * moreInYear(line), currency)),
      zero(currency),
    ),
  };
}

/** Returns the additional cost per seat and year, in minor units. A new price replaces none, so no renewal changes. */
function moreInYear({ key, before, after }: ComparedLine): number {
  if (before === null) return 0;
  return (after.amount.minor - before.amount.minor) * (key?.term === "P1M" ? 12 : 1);
}
