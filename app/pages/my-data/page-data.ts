/** View model of My Data: exports with their progress, and whether the account can be deleted. */
import type { Country } from "#db/tables/enums.ts";
import { type Consent, consentsOf } from "#server/accounts/consents.ts";
import { readSecondFactor } from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { dateView, formatDate } from "#server/orders/subscriptions/dates.ts";
import {
  findPendingDeletion,
  graceDays,
  hasPasswordToConfirm,
  whyNotDeleted,
} from "#server/privacy/delete.ts";
import { type DataExport, exportDays, exportsOf } from "#server/privacy/export.ts";
import { type RequestContext, refreshTo, requireSession } from "../../http/request-context.ts";

/** Reload interval while an export is running. */
const lookAgainSeconds = 3;

export async function myDataOf(request: RequestContext) {
  const { context, text, language } = request;
  const { db } = context;
  const { userId, customer } = requireSession(request);
  const country = customer?.country ?? standardCountry;
  const now = new Date();
  const exports = await exportsOf(db, userId, now);
  if (exports.some(({ state }) => state === "running")) refreshTo(request, lookAgainSeconds, paths.myData());
  const deletion = await findPendingDeletion(db, userId);
  const user = await findUser(db, userId);
  const factor = await readSecondFactor(db, userId);
  return {
    title: text("myData.title"),
    isProven: user?.emailVerifiedAt != null,
    canConfirm: await hasPasswordToConfirm(db, userId),
    /** Codes that the deletion accepts; null without a second factor. */
    codes: factor === null ? null : factor.appSince === null ? ("recovery" as const) : ("app" as const),
    exportAbout: text("myData.exportAbout", { days: exportDays }),
    /** The company whose data the user may export. */
    company: customer?.role === "owner" ? text("myData.exportCompany", { company: customer.name }) : null,
    exports: exports.map((each) => exportView(each, request, country)),
    consents: (await consentsOf(db, userId)).map((consent) => consentView(consent, request, country)),
    grace: text("myData.deleteGrace", { days: graceDays }),
    pending:
      deletion === null
        ? null
        : text("myData.pending", { date: formatDate(deletion.dueAt, country, language) }),
    inTheWay: (await whyNotDeleted(db, userId, now)).map((why) => translate(language, why)),
  };
}

function exportView(
  { id, customerId, state, done, planned, askedAt, expiresAt }: DataExport,
  { text, language, session }: RequestContext,
  country: Country,
) {
  const percent = planned === 0 ? 0 : Math.min(99, Math.floor((100 * done) / planned));
  return {
    id,
    of: customerId === null ? text("myData.yours") : (session?.customer?.name ?? ""),
    requestedAt: dateView(askedAt, country, language),
    /** Null once it is ready. */
    progress: state === "ready" ? null : { percent, words: text("myData.progress", { percent }) },
    until: text("myData.until", { date: formatDate(expiresAt, country, language) }),
    href: state === "ready" ? paths.myDataZip(id) : null,
  };
}

function consentView(
  { text: of, version, network, acceptedAt }: Consent,
  { text, language }: RequestContext,
  country: Country,
) {
  return {
    id: `${of} ${version} ${acceptedAt.getTime()}`,
    of: text("myData.consentOf", { text: of }),
    version,
    accepted: dateView(acceptedAt, country, language),
    network: network ?? text("myData.consentUnknown"),
  };
}

export type MyDataView = Awaited<ReturnType<typeof myDataOf>>;
