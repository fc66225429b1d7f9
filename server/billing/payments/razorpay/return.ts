/**
 * The fields that Razorpay's checkout gives to the page, or that its hosted page posts through the buyer's browser. The names
 * are Razorpay's and the specification's.
 */
import { z } from "zod";

/** A successful payment, signed. */
export const paidFields = z.object({
  razorpay_payment_id: z.string().regex(/^pay_[A-Za-z0-9]{1,40}$/),
  razorpay_order_id: z.string().regex(/^order_[A-Za-z0-9]{1,40}$/),
  razorpay_signature: z.string().regex(/^[0-9a-f]{64}$/),
});

const leftFields = z.object({ order_id: z.string().max(100), payment_id: z.string().max(100).optional() });
const metadata = "error[metadata]";

/** A failed payment, or a checkout that the buyer left. Posted only by the hosted page, and not signed. */
export const failedFields = z.union([
  z
    .object({ [metadata]: z.string().max(2000).transform(jsonIn) })
    .transform((posted) => posted[metadata])
    .pipe(leftFields),
  leftFields,
]);

export const returnFields = [...Object.keys(paidFields.shape), metadata, ...Object.keys(leftFields.shape)];

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
