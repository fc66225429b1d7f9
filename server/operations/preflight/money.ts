/** Payment accounts: live keys that the provider accepts, and webhooks that arrive. */
import { findLastEvent, listCustomerFees } from "#db/billing/payments.ts";
import { paymentProviderIds, paymentProviders, providerOf } from "#server/billing/payments/registry.ts";
import { methodsIn } from "#server/catalogue/pricing/payment-methods.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { razorpaySettings, razorpaySettingsOf } from "#server/platform/settings/accounts.ts";
import { type Check, invalid, missing, ok, unknownOnError } from "./check.ts";

/** A Razorpay key's prefix shows whether it moves real money. */
const liveKey = /^rzp_live_/;
/** A receipt that none of our orders has, so that the request finds nothing. */
const probeReceipt = "ready";

export const paymentKeys: Check = {
  id: "payment-keys",
  name: "Payment keys",
  look: async ({ context: { env } }) =>
    [...env.razorpayAccounts].map(([account, { keyId }]) => {
      const setting = (account === null ? razorpaySettings : razorpaySettingsOf(account)).keyId;
      return liveKey.test(keyId)
        ? ok(`${setting} is a live key.`)
        : invalid(`${setting} isn't a live key, so no money moves.`, "Use the account's live key.");
    }),
};

export const paymentAccounts: Check = {
  id: "payment-accounts",
  name: "Payment accounts",
  look: async ({ context }) => {
    const found = [...context.env.razorpayAccounts.keys()].map((account) =>
      unknownOnError(`The account of ${placeOf(account)}`, async () => {
        await context.razorpayOf(account).findOrderByReceipt(probeReceipt);
        return [ok(`The account of ${placeOf(account)} answers.`)];
      }),
    );
    return (await Promise.all(found)).flat();
  },
};

export const paymentWebhooks: Check = {
  id: "payment-webhooks",
  name: "Payment webhooks",
  look: ({ context: { db, env } }) => {
    const wanted = paymentProviderIds.flatMap((provider) =>
      paymentProviders[provider].accounts(env).flatMap((account) => {
        // The former account of all countries gets no new payments.
        const isUsed =
          account !== null && methodsIn(env, account).some((one) => providerOf[one] === provider);
        return isUsed ? [{ provider, account }] : [];
      }),
    );
    return Promise.all(
      wanted.map(async ({ provider, account }) => {
        const { name } = paymentProviders[provider];
        const last = await findLastEvent(db, { provider, account });
        return last === null
          ? missing(
              `${name}: no webhook from the ${placeOf(account)} account in the last 90 days.`,
              `Add it at the provider with the secret ${razorpaySettingsOf(account).webhookSecret}, and make a test payment: docs/operate/deploy.md, "Outside systems".`,
            )
          : ok(`${name}: the account of ${placeOf(account)} last sent one ${last.toISOString()}.`);
      }),
    );
  },
};

export const customerFees: Check = {
  id: "customer-fees",
  name: "Who bears Razorpay's fee",
  look: async ({ context: { db, env } }) => {
    const seen = await listCustomerFees(db);
    return [...env.razorpayAccounts.keys()].map((account) => {
      const fee = seen.find((each) => each.account === account);
      const place = placeOf(account);
      return ok(
        fee === undefined
          ? `The account of ${place}: no buyer has paid the fee on top. "Fee Bearer" in Razorpay's dashboard decides; the store takes both.`
          : `The account of ${place}: buyers pay the fee on top ("Fee Bearer: Customer" in Razorpay's dashboard). It is kept apart from the order and on no invoice.`,
      );
    });
  },
};

function placeOf(account: keyof typeof countries | null): string {
  return account === null ? "all countries" : countries[account].nameInSentence;
}
