/**
 * brio: our own product, so there is no outside tenant and nothing to ask a vendor for; the buyer gets an access code
 * (docs/decisions/brio.md).
 */
import type { Order } from "#db/order.ts";
import type { Context } from "#server/context.ts";
import { storeCredentials } from "#server/credentials/credentials.ts";
import { generatePassword } from "#server/credentials/password.ts";
import type { Family } from "../family.ts";

export const brio: Family = {
  label: "brio",
  name: "brio",
  domain: null,
  tenants: null,
  signIn: null,
  renewsAllSeats: false,
  mailKind: "brio-access",
  movedWords: () => null,
  startUrl: (env) => env.BRIO_URL,
  async purchase(context, order) {
    const username = await grantAccess(context, order);
    return { tenant: null, domain: username.split("@")[1] ?? "", subscriptionId: `brio-${order.id}` };
  },
  async addSeats(_context, { line }, { subscription }) {
    return subscription.quantity + line.quantity;
  },
  async renew() {},
  async buyAgain(context, order, { subscription }) {
    await grantAccess(context, order);
    return subscription.externalId;
  },
  async stopRenewal() {},
};

/** An access code for who ordered, mailed with the order. The first one stays. @returns the username it goes with */
async function grantAccess(context: Context, { id, account }: Order): Promise<string> {
  if (account === null) throw new RangeError("Access is granted to whoever the order is sold to");
  await storeCredentials(context, context.db, id, "sign-in", {
    username: account.email,
    password: generatePassword(),
  });
  return account.email;
}
