/** Marks a document as failed that the invoice registration portal refused, and asks the operator and the buyer to correct it. */
import { type EInvoice, markNotRegistered } from "#db/billing/e-invoices.ts";
import type { Trx } from "#db/tables/index.ts";
import { explainRefusal, isForBuyer } from "#server/foundation/countries/portal-refusals.ts";
import { english } from "#server/foundation/languages/text.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { noLongerShownCode } from "#server/integrations/e-invoices.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";

/** A refusal with the portal's text, or ours. */
export interface PortalRefusal {
  code: string;
  words: string;
}

/** Portal codes about the buyer's GSTIN: invalid, and inactive. */
const buyersGstin = ["3028", "3029"];

/** Marks a document as refused, and alerts those who can correct it. */
export async function giveUpRegistration(
  { db, env }: Context,
  document: EInvoice,
  { code, words }: PortalRefusal,
): Promise<void> {
  const { number, orderId } = document;
  const now = new Date();
  const problem = english(explainRefusal({ errorCode: code, errorWords: words }));
  await db.transaction().execute(async (trx) => {
    if (!(await markNotRegistered(trx, document, { code, words, nextTryAt: null }, now))) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `e-invoice-refused:${number}:${now.getTime()}`,
      orderId,
      what: `Document ${number} was not registered: ${problem} (${code}: ${words})`,
      toDo: stepsAfter(code, (id) => new URL(paths.deskActionForm(id, number), env.PUBLIC_URL).href),
    });
    const isMailed = isForBuyer({ errorCode: code, errorWords: words });
    if (isMailed && document.revision < env.INVOICE_CORRECTIONS) await askBuyer(trx, document, code);
  });
}

/** Mails the buyer for the correct details, once per refusal of a version. */
async function askBuyer(trx: Trx, { number, revision, orderId }: EInvoice, code: string): Promise<void> {
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (order === null || order.account === null) return;
  await queueMail(trx, {
    kind: "document-refused",
    dedupeKey: `document-refused:${number}:${revision}:${code}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data: { number },
  });
}

/** Lists the operator's next steps after a refusal. @param form returns the URL of a staff action on the document */
function stepsAfter(code: string, form: (id: "document.correct" | "document.enter") => string): string[] {
  if (code === noLongerShownCode)
    return [
      "Copy its registration from the e-invoice portal's site, or ask the GST provider for it.",
      `Enter it in Desk, which sends the document: ${form("document.enter")}`,
    ];
  return [
    ...(buyersGstin.includes(code)
      ? ["Sync the GSTIN in the e-invoice portal, and ask the buyer if it's right."]
      : []),
    `Correct the document in Desk, which registers it: ${form("document.correct")}`,
    "If only the portal was wrong, register it again in Desk unchanged.",
  ];
}

/** Fails a document that the portal no longer accepts because of its date. */
export function giveUpAsTooOld(context: Context, document: EInvoice): Promise<void> {
  const words = "It's more than 30 days old, and the portal doesn't accept older documents.";
  return giveUpRegistration(context, document, { code: "too_old", words });
}
