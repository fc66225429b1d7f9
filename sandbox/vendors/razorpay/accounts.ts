/** The store's accounts at the sandbox's Razorpay, one per country. An account sees only its own orders and payments. */
import type { RazorpayAccount } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";

/** The account of a key from a call or a checkout; undefined for an unknown key. */
export function accountOfKey(sandbox: Sandbox, keyId: string | undefined): RazorpayAccount | undefined {
  return sandbox.options.razorpay.find((account) => account.keyId === keyId);
}

/** The account that makes a call, by its Basic authentication. */
export function accountOfCall(sandbox: Sandbox, request: Request): RazorpayAccount | undefined {
  const given = request.headers.get("authorization");
  return sandbox.options.razorpay.find(({ keyId, keySecret }) => {
    return given === `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  });
}

/** @throws Error when an order's account is no longer configured */
export function accountIn(sandbox: Sandbox, country: string): RazorpayAccount {
  const account = sandbox.options.razorpay.find((each) => each.country === country);
  if (account === undefined) throw new Error(`No account at Razorpay is set for ${country}`);
  return account;
}
