/**
 * The vendor's ids of a family's items. They are data, stored for each country and account, and found in the vendor's catalogue
 * by name (docs/decisions/catalogue.md#vendor-catalogue).
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
  /** Returns the account at the vendor whose ids are used in a country; null if there is none. */
  accountIn(env: Env, country: Country): string | null;
  /** Finds all items of the account in a country under one of these names. @throws ProviderError */
  find(context: Context, country: Country, names: readonly VendorTitles[]): Promise<FoundItem[]>;
  /**
   * Reads the vendor's price sheet as text, in pieces; null if prices come with the found items.
   * @param month a past one, "2026-11"; the present sheet when left out
   */
  readPriceSheet:
    | ((context: Context, country: Country, month?: string) => Promise<AsyncIterable<string>>)
    | null;
  /** Parser of the vendor's price file that staff download. */
  priceFile: PriceFile;
}

export interface PriceFile {
  /** Label of the file: "Microsoft's price sheet (CSV)". */
  label: string;
  /** @throws PriceFileError for any other text, and for a price that cannot be read, with its place */
  read(pieces: AsyncIterable<string>, wanted: WantedPrices): Promise<VendorPrice[]>;
}

/** Thrown for an invalid file of a vendor's prices. */
export class PriceFileError extends FileError {}

/** Counts the imported and skipped rows of a file, so that no row is skipped silently. */
export class FileTally {
  taken = 0;
  /** Number of skipped rows, by the reason. */
  readonly leftOut = new Map<string, number>();
  /** Prices that the vendor has withdrawn. */
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

  /** Summary: "12 rows taken." or "12 rows taken, 3 left out: 2 not sold here, 1 not in INR." */
  get text(): string {
    const rows = [...this.leftOut.values()].reduce((sum, count) => sum + count, 0);
    const reasons = [...this.leftOut].map(([why, count]) => `${count} ${why}`).join(", ");
    const taken = `${this.taken} ${this.taken === 1 ? "row" : "rows"} taken`;
    return rows === 0 ? `${taken}.` : `${taken}, ${rows} left out: ${reasons}.`;
  }
}

/** Filter for a file's prices. */
export interface WantedPrices {
  /** Two letters. */
  market: string;
  currency: Currency;
  /** Keys as vendorKey writes them; other SKUs are left out. */
  keys: ReadonlySet<string>;
  /** "2026-11": leaves out prices not in effect then, if the file has dates. */
  month?: string | undefined;
  now: Date;
  /** Counts the rows, if the caller needs it. */
  tally?: FileTally | undefined;
}

/** A SKU that the vendor has on sale. */
export interface FoundItem {
  name: VendorTitles;
  ids: VendorIds;
  /** Limits of one subscription; null if the vendor names none. */
  minSeats: number | null;
  maxSeats: number | null;
  /** Terms and billing cycles for which it is sold. */
  plans: readonly { term: Term; billingCycle: BillingCycle }[];
  /** Prices of a seat, if the vendor's catalogue contains them. */
  prices: readonly FoundPrice[];
}

export interface FoundPrice {
  term: Term;
  billingCycle: BillingCycle;
  /** ISO 4217. */
  currency: string;
  /** Our cost and the vendor's price for the buyer, for one billing period, in units of the currency. */
  cost: number;
  retail: number;
}

/** The vendor's response about an ordered plan before the payment. */
export interface SaleCheck {
  isSold: boolean;
  /** Whether the tenant has no running subscription that the add-on can be added to. */
  lacksBase?: boolean;
  /** Our present cost of a seat for one billing period. Left out if only the imported prices have it. */
  cost?: Money | undefined;
}

/** Rounds an amount up to whole minor units, so that no cost is underestimated. */
export function roundUpToMinor(amount: number): number {
  // The subtraction only corrects floating-point error.
  return Math.ceil(amount * 100 - 1e-6);
}

/** Whether two titles are equal except for spaces and case. */
export function isSameTitle(one: string, other: string): boolean {
  return titleKey(one) === titleKey(other);
}

function titleKey(title: string): string {
  return title.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Error code for an item that was never found in the vendor's catalogue. */
export const notFoundByName = "not_in_catalogue";

/**
 * Returns the vendor's ids of an order's item.
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
