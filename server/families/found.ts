/** A vendor's subscription in our terms: the same facts for every vendor, or the reason why we cannot represent it. */
import { z } from "zod";
import type { BillingCycle, Term } from "#db/tables/enums.ts";

export interface Found {
  /** The provider's id of the subscription. */
  externalId: string;
  /** The vendor's SKU, as vendorKey writes it (db/vendor-catalogue.ts). */
  sku: string;
  /** The provider's id of an add-on's base subscription. */
  parentExternalId: string | null;
  /** Seats, from 1. */
  quantity: number;
  term: Term;
  billingCycle: BillingCycle;
  start: Date;
  end: Date;
}

/** "over" is not running at the provider. "unlike ours" runs in a way that our tables cannot represent. */
export type Reading =
  | { is: "running"; found: Found }
  | { is: "over" }
  | { is: "unlike ours"; sku: string; why: string };

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Parses when a term began and ends; null when a date is missing, invalid or out of order. */
export function readDates(
  start: string | null | undefined,
  end: string | null | undefined,
): { start: Date; end: Date } | null {
  const dates = z.object({ start: instant, end: instant }).safeParse({ start, end });
  return dates.success && dates.data.start < dates.data.end ? dates.data : null;
}
