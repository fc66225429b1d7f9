/** State of the vendors and the other providers: consents, pauses, catalogues, webhooks, and reached rate limits. */

import { listCatalogueDifferences, listNotFound } from "#db/catalogue/vendor-catalogue.ts";
import { listPauses } from "#db/fulfilment/vendor-pauses.ts";
import { listCronRuns } from "#db/platform/cron-runs.ts";
import { listLastWebhooks, listRateLimitHits, type RateLimitHits } from "#db/platform/provider-health.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { families, isFamilyId } from "#server/catalogue/families/registry.ts";
import {
  type ConsentStatus,
  consentedFamily,
  oldAfterDays,
  readConsentStatuses,
} from "#server/catalogue/partner-accounts/consent-status.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import type { CronJobName } from "#server/foundation/outbox/jobs.ts";
import type { Context } from "#server/platform/context.ts";

const dayMs = 86_400_000;
/** Days over which reached limits are counted. */
export const rateLimitDays = 30;

export interface VendorPauseView {
  account: string;
  /** "Microsoft, India". */
  vendor: string;
  reason: string;
  since: Date;
  /** Orders that wait for its end. */
  waiting: number;
}

/** A vendor in a country in which the store has an account with it. */
export interface VendorMarketView {
  vendor: string;
  account: string;
  /** Consent that its orders need; undefined when none is needed, null while nobody has given it. */
  consent: (NonNullable<ConsentStatus["consent"]> & { isOld: boolean }) | null | undefined;
  /** Plans on sale that were never found in the vendor's catalogue, and so cannot be bought. */
  notFound: string[];
  /** Differences that the last comparison with the vendor found, one sentence each. */
  differences: string[];
}

/** A cron job that asks vendors, and the time of its last success; null while it has never succeeded. */
export interface LastVendorCheck {
  what: string;
  at: Date | null;
}

export interface VendorsView {
  pauses: VendorPauseView[];
  markets: VendorMarketView[];
  checks: LastVendorCheck[];
  pulses: { source: string; kind: string; at: Date }[];
  limits: RateLimitHits[];
}

/** Label of each cron job that asks vendors. */
const cronJobLabels = {
  "sync-subscriptions": "Subscriptions refreshed",
  "refresh-partner-consents": "Consents used",
  "check-vendor-catalogue": "Catalogues and prices compared",
  "reconcile-money": "Payouts and bills compared",
} as const satisfies Partial<Record<CronJobName, string>>;

export async function readVendors(
  { db, env }: Pick<Context, "db" | "env">,
  now = new Date(),
): Promise<VendorsView> {
  const [pauses, standings, differences, clockJobs, pulses, limits] = await Promise.all([
    listPauses(db),
    readConsentStatuses({ db, env }, now),
    listCatalogueDifferences(db),
    listCronRuns(db),
    listLastWebhooks(db),
    listRateLimitHits(db, new Date(now.getTime() - rateLimitDays * dayMs)),
  ]);
  const markets = await Promise.all(
    listVendorMarkets({ env }).map(async (market) => ({
      vendor: vendorName(market),
      account: market.account,
      consent: consentFor(market, standings),
      notFound: await listNotFound(db, market),
      differences: differences
        .filter(({ family, country }) => family === market.family && country === market.country)
        .map(({ itemId, what }) => `${itemId}: ${what}`),
    })),
  );
  return {
    pauses: pauses.map(({ account, reason, since, waiting, ...place }) => ({
      account,
      vendor: vendorName(place),
      reason,
      since,
      waiting,
    })),
    markets,
    checks: Object.entries(cronJobLabels).map(([name, what]) => ({
      what,
      at: clockJobs.find((job) => job.name === name)?.succeededAt ?? null,
    })),
    pulses: pulses.map(({ source, kind, lastAt }) => ({
      source: isFamilyId(source) ? families[source].label : source,
      kind,
      at: lastAt,
    })),
    limits,
  };
}

/** Formats "Microsoft, India". */
export function vendorName({ family, country }: { family: FamilyId; country: Country }): string {
  return `${families[family].label}, ${countries[country].name}`;
}

function consentFor(
  { family, country }: { family: FamilyId; country: Country },
  standings: readonly ConsentStatus[],
): VendorMarketView["consent"] {
  if (family !== consentedFamily) return undefined;
  const consent = standings.find((status) => status.country === country)?.consent ?? null;
  return consent === null ? null : { ...consent, isOld: consent.days >= oldAfterDays };
}
