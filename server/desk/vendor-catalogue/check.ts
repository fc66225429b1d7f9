/** Finds differences between a vendor's catalogue and ours, stores them, and alerts the operator to new ones. */
import { type CatalogueDifference, replaceCatalogueDifferences } from "#db/catalogue/vendor-catalogue.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { plansOf } from "#server/orders/pricing.ts";
import type { Context } from "#server/platform/context.ts";
import { differencesOf } from "./compare.ts";
import { fetchMarket, listVendorMarkets, type VendorMarket } from "./fetch-market.ts";
import { fetchPriceSheet, listMargins } from "./prices.ts";

/** Formats "Microsoft in India". */
export function marketText({ family, country }: Pick<VendorMarket, "family" | "country">): string {
  return `${families[family].label} in ${countries[country].nameInSentence}`;
}

/** Checks a vendor's catalogue, and replaces the stored differences. @returns the differences @throws ProviderError */
export async function checkMarket(context: Context, market: VendorMarket): Promise<CatalogueDifference[]> {
  const { country } = market;
  const fetched = await fetchMarket(context, market);
  const differences = fetched.flatMap(({ item, stored, found }) =>
    differencesOf({ item, plans: plansOf(item, country), stored, found }).map((what) => ({
      itemId: item.id,
      country,
      what,
    })),
  );
  for (const { item, price, cost } of await listMargins(context, market)) {
    if (cost === null || cost.minor <= price.amount.minor) continue;
    const { kind, term, billingCycle, amount } = price;
    const what = `It costs us ${formatMoney(cost)} for ${term} (${billingCycle}), and its ${kind} price is ${formatMoney(amount)}.`;
    differences.push({ itemId: item.id, country, what });
  }
  await context.db.transaction().execute(async (trx) => {
    const itemIds = fetched.map(({ item }) => item.id);
    const fresh = await replaceCatalogueDifferences(trx, { country, itemIds }, differences);
    if (fresh.length === 0) return;
    const where = marketText(market);
    await queueOperatorVendorAlert(trx, {
      dedupeKey: `vendor-catalogue:${market.family}:${country}:${Date.now()}`,
      subject: `The ${where} catalogue doesn't match ours`,
      what: fresh.map(({ itemId, what }) => `${itemId}: ${what}`).join("\n"),
      toDo: [
        "See all mismatches: npm run catalogue -- check",
        "Store new ids: npm run catalogue -- update",
        "Correct the names, limits or terms in db/seed, or remove the plan, then run npm run seed.",
      ],
    });
  });
  return differences;
}

/**
 * Reads the price sheet of every market and checks it, for the cron job.
 * @throws ProviderError when a vendor did not respond, after all of them were asked
 */
export async function checkCatalogue(context: Context): Promise<void> {
  const failures: ProviderError[] = [];
  const unless = async (market: VendorMarket, failure: string, act: () => Promise<unknown>) => {
    const { family, country } = market;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof FileError)) throw error;
      const description = error instanceof ProviderError ? error.description : undefined;
      context.log.warn({ err: error, description, family, country }, failure);
      if (error instanceof ProviderError && error.kind === "transient") failures.push(error);
    }
  };
  for (const market of listVendorMarkets(context)) {
    await unless(market, "a vendor's price sheet could not be read", () => fetchPriceSheet(context, market));
    await unless(market, "a vendor's catalogue could not be read", async () => {
      const { family, country } = market;
      const differences = await checkMarket(context, market);
      if (differences.length > 0)
        context.log.warn({ family, country, differences }, "a vendor's catalogue differs from ours");
    });
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}
