/** Razorpay's two signatures: on the buyer's return from the checkout, and on a webhook. */
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether `signature` is the lower-case hex HMAC-SHA256 of `payload` under `secret`, compared in constant time. Always false
 * for an empty secret, with which anyone could sign.
 */
export function isSignatureValid(payload: string | Buffer, signature: string, secret: string): boolean {
  if (secret === "") return false;
  const expected = Buffer.from(createHmac("sha256", secret).update(payload).digest("hex"));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
