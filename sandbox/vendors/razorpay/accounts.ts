/** The store's accounts at the sandbox's Razorpay, one a country. An account knows its own orders and payments and no others. */
import type { RazorpayAccount } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";

/** Whose key a call or a checkout brings; undefined for a key nobody has. */
export function accountOfKey(sandbox: Sandbox, keyId: string | undefined): RazorpayAccount | undefined {
  return sandbox.options.razorpay.find((account) => account.keyId === keyId);
}

/** Whose call it is, by its Basic authentication. */
export function accountOfCall(sandbox: Sandbox, request: Request): RazorpayAccount | undefined {
  const given = request.headers.get("authorization");
  return sandbox.options.razorpay.find(({ keyId, keySecret }) => {
    return given === `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  });
}

/** @throws Error when the account of an order is not set any more */
export function accountIn(sandbox: Sandbox, country: string): RazorpayAccount {
  const account = sandbox.options.razorpay.find((each) => each.country === country);
  if (account === undefined) throw new Error(`No account at Razorpay is set for ${country}`);
  return account;
}
