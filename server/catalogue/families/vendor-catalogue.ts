/**
 * What a family's vendor calls our items. The ids are data, stored for each country and account, and found in the vendor's
 * catalogue by name (docs/decisions/vendor-catalogue.md).
 */
import type { VendorTitles } from "#db/catalogue/catalogue.ts";
import { findVendorIds, type VendorIds } from "#db/catalogue/vendor-catalogue.ts";
import type { VendorPrice } from "#db/catalogue/vendor-prices.ts";
import type { Money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { BillingCycle, Country, Currency, Term } from "#db/tables/enums.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { type Provider, ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";

export interface VendorCatalogue {
  /** The account at the vendor whose ids are used in a country; null where there is none. */
  accountIn(env: Env, country: Country): string | null;
  /** Everything the account has in a country under one of these names. @throws ProviderError */
  find(context: Context, country: Country, names: readonly VendorTitles[]): Promise<FoundItem[]>;
  /**
   * The vendor's price sheet as text, in pieces; null where prices come with what is found.
   * @param month a past one, "2026-11"; the present sheet when left out
   */
  readPriceSheet:
    | ((context: Context, country: Country, month?: string) => Promise<AsyncIterable<string>>)
    | null;
  /** The vendor's prices as a file that somebody has downloaded. */
  priceFile: PriceFile;
}

export interface PriceFile {
  /** "Microsoft's price sheet (CSV)". */
  label: string;
  /** @throws PriceFileError for a text that is no such file, or has a price that cannot be read, with its place */
  read(pieces: AsyncIterable<string>, wanted: WantedPrices): Promise<VendorPrice[]>;
}

/** A vendor's file that is none, or that cannot be understood. */
export class PriceFileError extends FileError {}

/** Counts the rows of a file that were taken and left out, so that no row is left out silently. */
export class FileTally {
  taken = 0;
  /** Counts of rows that were left out, by the reason. */
  readonly leftOut = new Map<string, number>();
  /** Prices that the vendor has taken back. */
  readonly withdrawn: VendorPrice[] = [];

  take(): void {
    this.taken += 1;
  }

  leaveOut(why: string): void {
    this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + 1);
  }

  withdraw(price: VendorPrice): void {
    this.withdrawn.push(price);
    this.leaveOut("withdrawn by the vendor");
  }

  /** "12 rows taken." or "12 rows taken, 3 left out: 2 not sold here, 1 not in INR." */
  get text(): string {
    const rows = [...this.leftOut.values()].reduce((sum, count) => sum + count, 0);
    const reasons = [...this.leftOut].map(([why, count]) => `${count} ${why}`).join(", ");
    const taken = `${this.taken} ${this.taken === 1 ? "row" : "rows"} taken`;
    return rows === 0 ? `${taken}.` : `${taken}, ${rows} left out: ${reasons}.`;
  }
}

/** Which of a file's prices are ours. */
export interface WantedPrices {
  /** Two letters. */
  market: string;
  currency: Currency;
  /** As vendorKey writes them; other SKUs are left out. */
  keys: ReadonlySet<string>;
  /** "2026-11": leaves out what is not in effect then, where the file says it. */
  month?: string | undefined;
  now: Date;
  /** Counts the rows, where somebody wants to know. */
  tally?: FileTally | undefined;
}

/** A SKU as the vendor has it on sale. */
export interface FoundItem {
  name: VendorTitles;
  ids: VendorIds;
  /** Seats of one subscription; null where the vendor names no limit. */
  minSeats: number | null;
  maxSeats: number | null;
  /** How it is sold. */
  plans: readonly { term: Term; billingCycle: BillingCycle }[];
  /** What a seat costs, where the vendor's catalogue says it. */
  prices: readonly FoundPrice[];
}

export interface FoundPrice {
  term: Term;
  billingCycle: BillingCycle;
  /** ISO 4217. */
  currency: string;
  /** For one billing period, in units of the currency: what we pay, and the vendor's price for the buyer. */
  cost: number;
  retail: number;
}

/** What a vendor says of an ordered plan before the payment. */
export interface SaleCheck {
  isSold: boolean;
  /** True of an add-on whose tenant has nothing running at the vendor that it can be added to. */
  lacksBase?: boolean;
  /** What a seat costs us now for one billing period. Left out where only the imported prices say it. */
  cost?: Money | undefined;
}

/** Whole minor units of an amount, upwards, so that no cost is taken for less than it is. */
export function roundUpToMinor(amount: number): number {
  // The subtraction only corrects floating-point error.
  return Math.ceil(amount * 100 - 1e-6);
}

/** Whether two titles are the same but for spaces and case. */
export function isSameTitle(one: string, other: string): boolean {
  return titleKey(one) === titleKey(other);
}

function titleKey(title: string): string {
  return title.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** The code of an order for an item that nobody has found in the vendor's catalogue. */
export const notFoundByName = "not_in_catalogue";

/**
 * What the vendor calls an order's item.
 * @throws ProviderError (refused, `not_in_catalogue`) while it was not found in the account's catalogue
 */
export async function vendorIdsOf(
  { db }: Pick<Context, "db">,
  { itemId, country }: Pick<Order, "itemId" | "country">,
  { account, provider }: { account: string | null; provider: Provider },
): Promise<VendorIds> {
  const ids = account === null ? null : await findVendorIds(db, { itemId, country, account });
  if (ids !== null) return ids;
  throw new ProviderError(provider, "refused", "every call", {
    code: notFoundByName,
    description: `${itemId} was not found in the catalogue for ${country}: npm run catalogue -- update`,
  });
}
