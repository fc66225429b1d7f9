/** Parameters that Razorpay adds to the callback URL after a payment through a link. The names are Razorpay's. */
import { z } from "zod";

export const linkFields = z.object({
  razorpay_payment_id: z.string().regex(/^pay_[A-Za-z0-9]{1,40}$/),
  razorpay_payment_link_id: z.string().regex(/^plink_[A-Za-z0-9]{1,40}$/),
  razorpay_payment_link_reference_id: z.string().max(40),
  // No other status pays for an order.
  razorpay_payment_link_status: z.literal("paid"),
  razorpay_signature: z.string().regex(/^[0-9a-f]{64}$/),
});
