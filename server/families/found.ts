/** What a vendor says that a customer holds, in our words: the same facts whoever tells them, or why they are none for us. */
import { z } from "zod";
import type { BillingCycle, Term } from "#db/tables/enums.ts";

export interface Found {
  /** The provider's own id of it. */
  externalId: string;
  /** As the catalogue writes it. */
  sku: string;
  /** The provider's id of what it is an add-on to. */
  parentExternalId: string | null;
  /** Seats, from 1. */
  quantity: number;
  term: Term;
  billingCycle: BillingCycle;
  start: Date;
  end: Date;
}

/** Over: not running at the provider. Unlike ours: running in a way that a row of ours cannot say. */
export type Reading =
  | { is: "running"; found: Found }
  | { is: "over" }
  | { is: "unlike ours"; sku: string; why: string };

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** When a term began and ends; null when that is not said, or cannot be. */
export function readDates(
  start: string | null | undefined,
  end: string | null | undefined,
): { start: Date; end: Date } | null {
  const dates = z.object({ start: instant, end: instant }).safeParse({ start, end });
  return dates.success && dates.data.start < dates.data.end ? dates.data : null;
}
