/** What a vendor charges the reseller for. */
import { z } from "zod";

export const charge = z.object({
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
export type Bill = z.infer<typeof charge>;
