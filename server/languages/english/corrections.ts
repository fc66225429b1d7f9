/** Correcting an invoice that was issued: the form, what stands against it, and what the credit note gives as its reason. */
export const corrections = {
  title: "Correct the invoice",
  edit: "Correct the invoice",
  lead: "Invoice {number} has been issued, and an issued invoice is not changed. You can have a corrected one in its place.",
  happens:
    "We issue a credit note that takes all of invoice {number} back, and a new invoice for the same amount with what you say here. No money moves, and you need not pay or claim anything. Both documents are emailed to you, and to those who get copies of your invoices.",
  happensRegistered:
    "Both are registered with the tax office first, which usually takes minutes. Have your accountant book both: the tax that was claimed with the old invoice is taken back by the credit note, and claimed again with the new one.",
  left: "{count, plural, one {You can do this once more for this order.} other {You can do this {count} more times for this order.}}",
  billTo: "Billed to",
  stays: "As it is",
  placesHint:
    "To add or change an address, a GSTIN or your company’s name, use <company>your company’s page</company> first. Only places with the same place of supply and the same tax are offered.",
  button: "Issue the corrected invoice",
  done: "Invoice {number} takes the place of {former}. We have emailed it to you with the credit note.",
  viewInvoice: "Open the invoice",

  none: "This order has no invoice yet.",
  refunded:
    "Money of this order was given back, so its invoice has a credit note already and cannot be corrected here. Please contact us.",
  disputed:
    "A payment of this order is disputed at the bank, so its invoice cannot be corrected. Please contact us.",
  changing:
    "A change of this subscription is being carried out, which may change what is invoiced. Please try again when it is done.",
  beingRegistered: "The invoice is being registered with the tax office. Please try again in some minutes.",
  notRegistered:
    "The invoice is not registered with the tax office, so it cannot be corrected here. Please contact us.",
  tooMany:
    "{count, plural, =0 {Invoices cannot be corrected here. Please contact us.} one {The invoice of this order has been corrected {count} time already, the most that is possible here. Please contact us.} other {The invoice of this order has been corrected {count} times already, the most that is possible here. Please contact us.}}",
  tooLate:
    "The time in which the law lets an invoice be corrected is over: it ends on 30 November after the financial year of the purchase, or when the annual return is filed. Please contact us.",
  otherSeller: "The invoice was issued under another registration of ours. Please contact us.",
  otherTax:
    "With this address the tax of the invoice would be another, so it cannot be corrected here. Please contact us.",
  unknownGstin:
    "The tax register has not confirmed GSTIN {gstin}. Open this address on your company’s page and save it, so that it is checked, or contact us.",
  nothing: "This is what the invoice says already.",
  meanwhile: "The invoice was corrected meanwhile. Please look at it again.",

  reason: "Correction of {parts}. Replaced by invoice {number}. No money is refunded.",
  purchaseOrder: "the purchase order number",
  costCentre: "the cost centre",
  note: "the note",
  recipient: "the recipient",

  replacedBy: "Replaced by {number}",
  wasReplaced:
    "This invoice was taken back by <note>a credit note</note>, and replaced by <invoice>invoice {number}</invoice>.",
  former: "Invoice {number}, replaced",
  takenBack: "Credit note of the correction",
  takenBackOf: "Credit note of the correction<hidden>, {number} of {name}</hidden>",
  happened: "Invoice corrected: credit note {number}",

  mailSubject: "Corrected invoice {number}",
  mailPreheader: "It takes the place of {former}. No money moves.",
  mailWhat:
    "As requested, invoice {number} takes the place of {former}, which a credit note takes back in full. The amount is the same, so no money moves.",
  mailBook: "Please have both documents booked.",
  mailCreditNote: "Open the credit note",
} as const;
