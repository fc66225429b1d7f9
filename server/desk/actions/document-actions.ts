/**
 * Actions on one document: the correction of a document that the e-invoice portal refused, and a registration that the portal no
 * longer shows.
 */
import { z } from "zod";
import { correctRefused } from "#server/billing/documents/correct-refused.ts";
import { enterRegistration, isNoLongerShown } from "#server/billing/documents/enter-registration.ts";
import { isNumberLost, type RefusedDocument } from "#server/billing/documents/refused.ts";
import { isAbroad, recipientDetails } from "#server/billing/documents/refused-facts.ts";
import { countries, gstCountry } from "#server/foundation/countries/registry.ts";
import { stateChoices } from "#server/foundation/countries/state.ts";
import { isDay, momentOf } from "#server/orders/subscriptions/dates.ts";
import { moneyRoles } from "../roles.ts";
import { type ActionField, defineAction } from "./action.ts";
import { documentSubject } from "./subjects.ts";

const given = (what: string) =>
  z.string(`Enter ${what}.`).trim().min(1, `Enter ${what}.`).max(200, "Use 200 characters or fewer.");
const optional = z.string().trim().max(200, "Use 200 characters or fewer.").default("");
const notRefused = "The portal hasn't rejected this document.";

export const correctDocumentAction = defineAction({
  label: "Correct and register",
  explains:
    "Makes a document that the portal rejected again, with these details, and registers it. The amount stays the same. A document that the portal no longer takes under its number gets a new one. The buyer and the billing contacts then get it by email.",
  subject: documentSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: { label: "Why, and where the details are from", hint: "Kept in the audit log." },
  asks: z.object({
    companyName: given("the company name"),
    legalName: optional,
    tradeName: optional,
    gst_code: optional,
    addressLine1: given("the first line of the address"),
    addressLine2: optional,
    city: given("the city"),
    state: given("the state"),
    pincode: given("the postcode"),
    revision: z.coerce.number().int().min(0),
  }),
  fields: ({ refused }) => (refused === null ? [] : fieldsOf(refused)),
  whyNot: ({ refused }) => (refused === null ? notRefused : null),
  async perform(context, { number }, { revision, ...details }, actor) {
    const now = new Date();
    const by = { staff: actor };
    const ask = { number, revision, details, by, clientAddress: `staff:${actor.staffId}`, now };
    const done = await correctRefused(context, ask);
    const name = done.number === number ? number : `${done.number}, in place of ${number},`;
    return {
      said: done.isRegistering
        ? `${name} is being registered. The buyer gets it by email.`
        : `${name} needs no registration and is ready. The buyer gets it by email.`,
    };
  },
});

function fieldsOf(refused: RefusedDocument): ActionField[] {
  const { base, eInvoice } = refused;
  const details = recipientDetails(refused.facts);
  const { country } = base;
  const hint = isNumberLost(refused, new Date())
    ? "The portal no longer takes this number: the document gets a new one, with today's date."
    : undefined;
  const text = (name: keyof typeof details, label: string, more: Partial<ActionField> = {}): ActionField => ({
    name,
    label,
    kind: "text",
    value: details[name],
    ...more,
  });
  const registered: ActionField[] = [
    text("gst_code", "GSTIN", {
      isOptional: true,
      hint: "Empty for a company without a valid one: the document then needs no registration.",
    }),
    text("legalName", "Legal name in the register", {
      isOptional: true,
      hint: "Left as it is, another GSTIN brings its own names.",
    }),
    text("tradeName", "Trade name in the register", { isOptional: true }),
  ];
  return [
    text("companyName", "Company name on the document", hint === undefined ? {} : { hint }),
    ...(isAbroad(base) ? [] : registered),
    text("addressLine1", "Address line 1"),
    text("addressLine2", "Address line 2", { isOptional: true }),
    text("city", "City"),
    text("state", `State in ${countries[country].name}`, {
      kind: "choice",
      options: stateChoices(countries[country].address.states, "en"),
    }),
    text("pincode", "Postcode"),
    { name: "revision", label: "", kind: "hidden", value: String(eInvoice.revision) },
  ];
}

/** Accepts text copied from the portal, which may contain line breaks. */
const copied = (pattern: RegExp, problem: string) =>
  z
    .string(problem)
    .transform((text) => text.replaceAll(/\s/g, ""))
    .pipe(z.string().regex(pattern, problem));
const jws = (name: string) => `Enter the whole text of ${name}: three parts with dots between them.`;
const jwsForm = /^[\w-]+(?:\.[\w-]+){2}$/;
const moment = /^(\d{4}-\d\d-\d\d) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/;

export const enterRegistrationAction = defineAction({
  label: "Enter registration",
  explains:
    "For a document that the portal has registered and no longer shows (2283). Copy its registration from the portal's site, where signed documents can be downloaded, or ask the GST provider for it. The buyer and the billing contacts then get the document by email.",
  subject: documentSubject,
  roles: moneyRoles,
  needsStepUp: true,
  reason: { label: "Where the registration is from", hint: "Kept in the audit log." },
  asks: z.object({
    irn: copied(/^[0-9a-f]{64}$/i, "Enter the IRN: 64 digits and letters from a to f.").pipe(
      z.string().toLowerCase(),
    ),
    ackNumber: copied(/^\d{1,20}$/, "Enter the acknowledgement number: digits only."),
    acknowledgedAt: z
      .string("Enter the date and time like 2026-11-30 14:05:00.")
      .trim()
      .refine(
        (text) => isDay(moment.exec(text)?.[1] ?? ""),
        "Enter the date and time like 2026-11-30 14:05:00.",
      ),
    signedQr: copied(jwsForm, jws("SignedQRCode")),
    signedInvoice: copied(/^(?:[\w-]+(?:\.[\w-]+){2})?$/, jws("SignedInvoice")).default(""),
  }),
  fields: () => [
    { name: "irn", label: "IRN", kind: "text" },
    { name: "ackNumber", label: "Acknowledgement number", kind: "text" },
    {
      name: "acknowledgedAt",
      label: "Acknowledgement date",
      kind: "text",
      hint: "By the portal's clock, like 2026-11-30 14:05:00.",
    },
    {
      name: "signedQr",
      label: "Signed QR code",
      kind: "text",
      hint: "The text of SignedQRCode. The document prints it, and is not valid without it.",
    },
    {
      name: "signedInvoice",
      label: "Signed invoice",
      kind: "text",
      hint: "The text of SignedInvoice. Needed for a document that was corrected.",
      isOptional: true,
    },
  ],
  whyNot: ({ refused }) =>
    refused !== null && isNoLongerShown(refused.eInvoice)
      ? null
      : "Only for a document that the portal has registered and no longer shows.",
  async perform(context, { number }, { acknowledgedAt, ...signed }, by) {
    const [day, time] = acknowledgedAt.split(" ");
    const entered = { ...signed, acknowledgedAt: momentOf(new Date(`${day}T${time}Z`), gstCountry) };
    await enterRegistration(context, number, { entered, by, now: new Date() });
    return { said: `${number} is registered. The buyer gets it by email.` };
  },
});
