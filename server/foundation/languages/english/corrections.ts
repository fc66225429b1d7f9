/** Correcting an invoice that was issued: the form, what stands against it, and what the credit note gives as its reason. */
export const corrections = {
  title: "Correct the invoice",
  edit: "Correct the invoice",
  lead: "Invoice {number} has been issued and can't be changed, but we can replace it with a corrected one.",
  happens:
    "We'll issue a credit note that cancels invoice {number} in full, and a new invoice for the same amount with these details. There's nothing to pay and no refund. We'll email both documents to you and your billing contacts.",
  happensRegistered:
    "Both are registered with the tax office first, which usually takes a few minutes. Ask your accountant to record both: the credit note reverses the tax claimed on the old invoice, and you claim it again on the new one.",
  left: "{count, plural, one {You can do this once more for this order.} other {You can do this {count} more times for this order.}}",
  billTo: "Billed to",
  stays: "No change",
  placesHint:
    "To add or change an address, GSTIN or company name, use <company>your company page</company> first. Only addresses with the same place of supply and tax are shown.",
  button: "Issue the corrected invoice",
  done: "Invoice {number} replaces {former}. We've emailed it to you with the credit note.",
  viewInvoice: "Open the invoice",

  none: "This order has no invoice yet.",
  refunded:
    "This order has been refunded, so its invoice already has a credit note and can't be corrected here. Contact us.",
  disputed:
    "A payment for this order is in dispute with the bank, so its invoice can't be corrected. Contact us.",
  changing:
    "This subscription is being changed, which may affect the invoice. Try again when the change is complete.",
  beingRegistered: "The invoice is being registered with the tax office. Try again in a few minutes.",
  refused:
    "The tax office didn't register this invoice, so there is no valid invoice to replace. Correct its details instead: it is made again and registered.",
  notRegistered:
    "The invoice is not registered with the tax office, so it cannot be corrected here. Please contact us.",
  tooMany:
    "{count, plural, =0 {Invoices can't be corrected here. Contact us.} one {This invoice has already been corrected {count} time, which is the limit. Contact us.} other {This invoice has already been corrected {count} times, which is the limit. Contact us.}}",
  tooLate:
    "The legal deadline for correcting this invoice has passed: 30 November after the financial year of the purchase, or when the annual return was filed, whichever came first. Contact us.",
  otherSeller:
    "The invoice was issued under a different tax registration of ours, so it can't be corrected here. Contact us.",
  otherTax: "This address would change the tax on the invoice, so you can't use it here. Contact us.",
  unknownGstin:
    "The tax register hasn't confirmed GSTIN {gstin}. To check it again, open this address on your company page and save it, or contact us.",
  nothing: "The invoice already shows these details. Change something to issue a corrected one.",
  meanwhile: "The invoice has been corrected since you opened this page. Please check it again.",

  reason: "Correction of {parts}. Replaced by invoice {number}. No money is refunded.",
  purchaseOrder: "the purchase order number",
  costCentre: "the cost centre",
  note: "the note",
  recipient: "the recipient",

  replacedBy: "Replaced by {number}",
  wasReplaced:
    "This invoice was cancelled by <note>a credit note</note> and replaced by <invoice>invoice {number}</invoice>.",
  former: "Invoice {number}, replaced",
  takenBack: "Credit note for correction",
  happened: "Invoice corrected: credit note {number}",

  mailSubject: "Corrected invoice {number}",
  mailPreheader: "It replaces {former}. There's nothing to pay.",
  mailWhat:
    "As requested, invoice {number} replaces {former}, which has been cancelled in full by a credit note. The amount is the same, so there's nothing to pay.",
  mailBook: "Please make sure both documents are recorded in your accounts.",
  mailCreditNote: "Open the credit note",
} as const;
