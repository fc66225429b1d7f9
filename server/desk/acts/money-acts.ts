/** Acts on what the books still lack: certificates of tax that buyers withheld, and documents without a registration. */
import { z } from "zod";
import { findWithheldProforma } from "#server/documents/proforma.ts";
import { registerEarlier } from "#server/documents/register-earlier.ts";
import { wrongField } from "#server/errors.ts";
import { bookCertificate, isCertified } from "#server/payments/certificates.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { minorOf } from "#server/pricing/money.ts";
import { moneyRoles } from "../roles.ts";
import { act, nothing } from "./act.ts";
import { documentsSubject, orderSubject } from "./subjects.ts";

export const bookCertificateAct = act({
  label: "Book a TDS certificate",
  explains:
    "Books a certificate of the tax that the buyer withheld from the transfer, as it has arrived. It cannot be taken back.",
  subject: orderSubject,
  roles: moneyRoles,
  needsStepUp: true,
  asks: z.object({
    number: z
      .string("Enter the number of the certificate.")
      .trim()
      .regex(/^[A-Z0-9/-]{1,30}$/i, "At most 30 letters, digits, hyphens and slashes."),
    dated: z.iso.date("Enter its date, such as 2026-11-24."),
    amount: z.string("Enter its amount.").trim().max(20, "Enter an amount such as 1234.50."),
  }),
  fields: () => [
    { name: "number", label: "Number of the certificate", kind: "text" },
    { name: "dated", label: "Its date", hint: "As 2026-11-24.", kind: "text" },
    { name: "amount", label: "Its amount", hint: "Such as 1234.50.", kind: "amount" },
  ],
  async hindrance({ id }, { db }) {
    const proforma = await findWithheldProforma(db, id);
    if (proforma === null) return "Nothing was withheld from the payment of this order.";
    return isCertified(proforma.withheldMinor - proforma.certifiedMinor)
      ? "Certificates have come for all that was withheld."
      : null;
  },
  async perform({ db }, { id }, { number, dated, amount }, { staffId, by, reason }) {
    const amountMinor = minorOf(amount);
    if (amountMinor === null) throw wrongField("amount", "Enter an amount such as 1234.50.");
    const asked = { order: id, number, dated, amountMinor, by, staffId, reason };
    const open = await bookCertificate(db, asked, new Date());
    return {
      said:
        open.minor === 0
          ? `Certificate ${number} is booked. Nothing more is awaited.`
          : `Certificate ${number} is booked. ${formatMoney(open)} is still awaited.`,
    };
  },
});

export const registerEarlierAct = act({
  label: "Register earlier documents",
  explains:
    "Sends documents to the e-invoice portal that were issued before its account was set up here and are younger than 30 days.",
  subject: documentsSubject,
  roles: moneyRoles,
  needsStepUp: false,
  asks: nothing,
  hindrance: (_thing, { env }) =>
    env.eInvoiceAccounts.size > 0 ? null : "No account at the e-invoice portal is set up.",
  async perform({ db, env }, _thing, _value, { staffId, by, reason }) {
    const queued = await registerEarlier(db, env, { by, staffId, reason, now: new Date() });
    return {
      said:
        queued.length === 0
          ? "There is none to register."
          : `${queued.length} ${queued.length === 1 ? "document" : "documents"} will be registered.`,
    };
  },
});
