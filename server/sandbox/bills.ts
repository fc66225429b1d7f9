/**
 * What vendors have charged the reseller, as their invoices would say it: each term that began, each licence that was added while a
 * term ran, and what was given back. A term is charged whether or not anybody here has been paid for it.
 */
import { z } from "zod";

export const bill = z.object({
  /** The id of a Microsoft subscription, or the name of a Google entitlement. */
  subscriptionId: z.string(),
  /** A term that began, an extended one that nobody ordered, or licences in mid-term; fewer than none are given back. */
  kind: z.enum(["term", "extended", "seats"]),
  seats: z.number(),
  /** Of a seat for a whole term, as the reseller pays it; null where no price is listed. */
  unitPrice: z.number().nullable(),
  currency: z.string(),
  /** The part of the term that is charged. */
  startsAt: z.number(),
  endsAt: z.number(),
});
export type Bill = z.infer<typeof bill>;
