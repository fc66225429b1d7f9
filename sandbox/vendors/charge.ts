/** An item for which a vendor charges the reseller. */
import { z } from "zod";

export const charge = z.object({
  /** The id of a Microsoft subscription, or the name of a Google entitlement. */
  subscriptionId: z.string(),
  /** A new term, an extended term that nobody ordered, or seats added in mid-term (negative when returned). */
  kind: z.enum(["term", "extended", "seats"]),
  seats: z.number(),
  /** The reseller's price of a seat for a whole term; null where no price is listed. */
  unitPrice: z.number().nullable(),
  currency: z.string(),
  /** The part of the term that is charged. */
  startsAt: z.number(),
  endsAt: z.number(),
});
export type Bill = z.infer<typeof charge>;
