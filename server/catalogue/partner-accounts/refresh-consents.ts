/**
 * The cron job of partner accounts: uses each consent, so that it never expires unused, and alerts the operator once about every
 * state that needs a new consent.
 */

import { countries } from "#server/foundation/countries/registry.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { type ConsentStatus, oldAfterDays, readConsentStatuses } from "./consent-status.ts";

/** @throws ProviderError when Microsoft did not respond for an account, after all of them were asked */
export async function refreshConsents(context: Context, now = new Date()): Promise<void> {
  const failures: ProviderError[] = [];
  for (const status of await readConsentStatuses(context, now)) {
    const refused = status.consent === null ? null : await use(context, status);
    if (refused?.kind === "transient") failures.push(refused);
    const alert = alertOf(status, refused?.kind === "transient" ? null : refused);
    if (alert !== null) await tellOperator(context, status, alert);
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

async function use({ partnerCenterOf, log }: Context, { country }: ConsentStatus) {
  try {
    await partnerCenterOf(country).refreshConsent();
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn(
      { err: error, country, description: error.description },
      "a partner's consent could not be used",
    );
    return error;
  }
}

interface Alert {
  /** Distinguishes this state from a later one of the same kind. */
  state: string;
  what: string;
}

function alertOf({ country, tenant, consent }: ConsentStatus, refused: ProviderError | null): Alert | null {
  const account = `the partner account in ${countries[country].nameInSentence} (${tenant})`;
  if (consent === null) {
    return {
      state: `none:${tenant}`,
      what: `No one has consented for ${account}, so Microsoft orders can't be fulfilled there.`,
    };
  }
  const since = consent.obtainedAt.toISOString();
  if (refused !== null) {
    return {
      state: `refused:${since}`,
      what: `Microsoft no longer accepts ${consent.userName}'s consent for ${account}: ${refused.code ?? refused.message}. Orders for its plans can't be fulfilled there.`,
    };
  }
  if (!consent.hasMfa) {
    return {
      state: `no-mfa:${since}`,
      what: `${consent.userName} consented for ${account} without MFA, so Microsoft may reject every request. Consent again with MFA.`,
    };
  }
  if (consent.days < oldAfterDays) return null;
  return {
    state: `old:${since}`,
    what: `The consent of ${consent.userName} for ${account} is ${consent.days} days old. It still works, but renew it before it stops.`,
  };
}

async function tellOperator({ db }: Context, { country }: ConsentStatus, alert: Alert): Promise<void> {
  await db.transaction().execute((trx) =>
    queueOperatorAlert(trx, {
      dedupeKey: `partner-consent:${country}:${alert.state}`,
      orderId: null,
      what: alert.what,
      toDo: [`On a machine with a browser, run: npm run consent -- ${country}`],
    }),
  );
}
