/**
 * The clock job of partner accounts: uses each consent, so that it never expires for want of use, and tells the operator
 * once of every state in which a person has to consent.
 */
import type { Context } from "#server/context.ts";
import { countries } from "#server/countries/country.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { type ConsentStanding, oldAfterDays, readStandings } from "./standing.ts";

/** @throws ProviderError when Microsoft did not answer for an account, after all of them were asked */
export async function refreshConsents(context: Context, now = new Date()): Promise<void> {
  const failures: ProviderError[] = [];
  for (const standing of await readStandings(context, now)) {
    const refused = standing.consent === null ? null : await use(context, standing);
    if (refused?.kind === "transient") failures.push(refused);
    const alert = alertOf(standing, refused?.kind === "refused" ? refused : null);
    if (alert !== null) await tellOperator(context, standing, alert);
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

async function use({ partnerCenterOf, log }: Context, { country }: ConsentStanding) {
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
  /** Tells this state from a later one of the same kind. */
  state: string;
  what: string;
}

function alertOf({ country, tenant, consent }: ConsentStanding, refused: ProviderError | null): Alert | null {
  const account = `the partner account in ${countries[country].nameInSentence} (${tenant})`;
  if (consent === null) {
    return {
      state: `none:${tenant}`,
      what: `Nobody has consented for ${account}. Orders for Microsoft's plans cannot be carried out there.`,
    };
  }
  const since = consent.obtainedAt.toISOString();
  if (refused !== null) {
    return {
      state: `refused:${since}`,
      what: `Microsoft no longer takes the consent of ${consent.userName} for ${account}: ${refused.code ?? refused.message}. Orders for its plans cannot be carried out there.`,
    };
  }
  if (!consent.hasMfa) {
    return {
      state: `no-mfa:${since}`,
      what: `${consent.userName} consented for ${account} without a second factor, and Microsoft may refuse every call. Please consent again, signed in with one.`,
    };
  }
  if (consent.days < oldAfterDays) return null;
  return {
    state: `old:${since}`,
    what: `The consent of ${consent.userName} for ${account} is ${consent.days} days old. It works, but please renew it before something ends it.`,
  };
}

async function tellOperator({ db }: Context, { country }: ConsentStanding, alert: Alert): Promise<void> {
  await db.transaction().execute((trx) =>
    queueOperatorAlert(trx, {
      dedupeKey: `partner-consent:${country}:${alert.state}`,
      orderId: null,
      what: alert.what,
      toDo: [`Consent on a machine with a browser: npm run consent -- ${country}`],
    }),
  );
}
