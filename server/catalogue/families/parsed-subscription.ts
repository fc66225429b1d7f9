/** A vendor's subscription in our terms: the same facts for every vendor, or the reason why we cannot represent it. */
import { z } from "zod";
import type { BillingCycle, Term } from "#db/tables/enums.ts";

export interface ParsedSubscription {
  /** The provider's id of the subscription. */
  externalId: string;
  /** The vendor's SKU, as vendorKey writes it (db/catalogue/vendor-catalogue.ts). */
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

/** "ended": not running at the provider. "unsupported": runs in a way that our tables cannot represent. */
export type ParseResult =
  | { is: "running"; found: ParsedSubscription }
  | { is: "ended" }
  | { is: "unsupported"; sku: string; why: string };

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Parses the start and end of a term; null when a date is missing, invalid or out of order. */
export function parseTermDates(
  start: string | null | undefined,
  end: string | null | undefined,
): { start: Date; end: Date } | null {
  const dates = z.object({ start: instant, end: instant }).safeParse({ start, end });
  return dates.success && dates.data.start < dates.data.end ? dates.data : null;
}
