/** An item for which a vendor charges the reseller. */
import { z } from "zod";

export const charge = z.object({
  /** The id of a Microsoft subscription, or the name of a Google entitlement. */
  subscriptionId: z.string(),
  /** A term that began, an extended one that nobody ordered, or licences in mid-term; a negative number was returned. */
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
