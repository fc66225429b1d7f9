/** Actions on missing accounting records: certificates of tax that buyers withheld, and documents without a registration. */
import { z } from "zod";
import { findWithheldProforma } from "#server/billing/documents/proforma.ts";
import { registerEarlier } from "#server/billing/documents/register-earlier.ts";
import { isCertified, recordCertificate } from "#server/billing/payments/certificates.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { isDay } from "#server/orders/subscriptions/dates.ts";
import { moneyRoles } from "../roles.ts";
import { defineAction, nothing } from "./action.ts";
import { documentsSubject, orderSubject } from "./subjects.ts";

export const recordCertificateAction = defineAction({
  label: "Record a TDS certificate",
  explains: "Records the buyer's certificate for TDS deducted from a transfer. You can't undo this.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  asks: z.object({
    number: z
      .string("Enter the certificate number.")
      .trim()
      .regex(/^[A-Z0-9/-]{1,30}$/i, "Use up to 30 letters, digits, hyphens and slashes."),
    dated: z.string().refine(isDay, "Enter its date, such as 2026-11-24."),
    amount: z.string("Enter its amount.").trim().max(20, "Enter an amount such as 1234.50."),
  }),
  fields: () => [
    { name: "number", label: "Certificate number", kind: "text" },
    { name: "dated", label: "Certificate date", hint: "As 2026-11-24.", kind: "text" },
    { name: "amount", label: "Amount", hint: "Such as 1234.50.", kind: "amount" },
  ],
  async whyNot({ id }, { db }) {
    const proforma = await findWithheldProforma(db, id);
    if (proforma === null) return "No TDS was deducted from this order's payment.";
    return isCertified(proforma.withheldMinor - proforma.certifiedMinor)
      ? "We have certificates for all TDS deducted."
      : null;
  },
  async perform({ db }, { id }, { number, dated, amount }, { staffId, by, reason }) {
    const amountMinor = parseMinor(amount);
    if (amountMinor === null) throw wrongField("amount", "Enter an amount such as 1234.50.");
    const input = { order: id, number, dated, amountMinor, by, staffId, reason };
    const open = await recordCertificate(db, input, new Date());
    return {
      said:
        open.minor === 0
          ? `Certificate ${number} recorded. Nothing more is outstanding.`
          : `Certificate ${number} recorded. ${formatMoney(open)} is still outstanding.`,
    };
  },
});

export const registerEarlierAct = defineAction({
  label: "Register earlier documents",
  explains:
    "Sends the e-invoice portal documents from the last 30 days that were issued before its account was set up here.",
  subject: documentsSubject,
  roles: moneyRoles,
  needsStepUp: false,
  asks: nothing,
  whyNot: (_thing, { env }) =>
    env.eInvoiceAccounts.size > 0 ? null : "No account at the e-invoice portal is set up.",
  async perform({ db, env }, _thing, _value, { staffId, by, reason }) {
    const queued = await registerEarlier(db, env, { by, staffId, reason, now: new Date() });
    return {
      said:
        queued.length === 0
          ? "There are no documents to register."
          : `${queued.length} ${queued.length === 1 ? "document" : "documents"} will be registered.`,
    };
  },
});
