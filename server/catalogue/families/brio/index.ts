/**
 * brio is our own product: it has no outside tenant and no vendor to call. The buyer gets an access code
 * (docs/decisions/catalogue.md#brio).
 */
import type { Order } from "#db/orders/order.ts";
import { storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { generatePassword } from "#server/accounts/credentials/password.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import type { Family } from "../family.ts";

export const brio: Family = {
  label: "brio",
  name: "brio",
  domain: null,
  tenants: null,
  signIn: null,
  agreement: null,
  vendor: null,
  bills: null,
  tellsVendor: { address: [], contact: [], tenantName: [], username: [] },
  renewsAllSeats: false,
  mailKind: "brio-access",
  movedWords: () => null,
  remainingSteps: () => [],
  onboardingSteps: (_order, _domain, startUrl) => [
    {
      title: msg("firstSteps.brioSignIn"),
      text: msg("firstSteps.brioSignInText"),
      menus: [],
      href: startUrl,
    },
  ],
  waitsForTerms: null,
  startUrl: (env) => env.BRIO_URL,
  isOpenIn: () => true,
  checkBuyer: async () => ({ verdict: "accepted" }),
  requiresKnownCost: () => false,
  isOnSale: async () => ({ isSold: true }),
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
  async stopRenewal() {
    return null;
  },
  returns: {
    cancel: { never: "families.brioKeepsTerm" },
    // The number of licences is stored only in our own row.
    reduce: { hours: 72, carryOut: async () => undefined },
    async returnable(_context, { subscription: { quantity, end } }) {
      return { cancelUntil: null, batches: [{ seats: quantity, until: end }] };
    },
    isTooLate: () => false,
  },
};

/**
 * Stores an access code for the buyer, which is mailed with the order. A repeat keeps the first code.
 * @returns the username
 */
async function grantAccess(context: Context, { id, account }: Order): Promise<string> {
  if (account === null) throw new RangeError("Access is granted to whoever the order is sold to");
  await storeCredentials(context, context.db, id, "sign-in", {
    username: account.email,
    password: generatePassword(),
  });
  return account.email;
}
