/** An invoice or credit note that the tax office's portal refused: what is wrong, and the form that corrects it. */
export const refusedDocuments = {
  title: "Correct the details on {number}",
  edit: "Correct the details",
  problem: "The tax office didn't register {number}. {problem}",
  notice:
    "The tax office didn't register this document. {problem} It isn't valid until it's registered: correct the details, and we'll register it and email it to you. There is nothing to pay again.",
  mailPreheader: "There is nothing to pay again.",
  mailHow:
    "It isn't valid until it's registered. Check the details and correct what is wrong. We'll then email you the document.",
  happens:
    "We'll make the document again with these details and send it to the tax office. The amount stays the same, and your subscription isn't affected.",
  newNumber:
    "The tax office no longer accepts {number}, so the document will get a new number and today's date.",
  namesHint:
    "The tax office registers the invoice under these names. Leave them as they are unless the register shows others.",
  printedName: "Company name on the document",
  legalNameLabel: "Legal name in the GST register",
  tradeNameLabel: "Trade name in the GST register (optional)",
  gstin: "GSTIN",
  gstinHint:
    "Leave it empty if the company has no valid GSTIN. The document then gives no right to a tax credit.",
  button: "Register it with these details",
  back: "Back without changing anything",
  open: "Open the document",
  done: "We've corrected {number} and are registering it with the tax office. We'll email you when it's ready.",
  doneWithoutRegistration:
    "We've corrected {number}. Without a GSTIN it needs no registration, so it is ready.",
  replaced: "{number} replaces {former}, which was never registered. We'll email you when it's ready.",
  withdrawn: "This document was never registered with the tax office, and another one has replaced it.",
  notRefused:
    "The tax office hasn't rejected this document, or someone has corrected it in the meantime. Open the document to see its current state.",
  meanwhile:
    "The document has changed since you opened this page, and your entries weren't saved. Open the page again to check it.",
  registeredAfterAll:
    "The tax office has already registered {number} with the earlier details, so it can't be changed. We are completing it now. After that you can ask for a corrected invoice.",
  registeredUnreadable:
    "The tax office has registered {number}, but no longer shows it to us. Contact us: we'll complete it manually.",
  otherDocument:
    "The tax office has a different document under the number {number}. Contact us: we'll give yours a new number.",
  portalSilent:
    "We couldn't ask the tax office whether it has registered this document. Nothing has changed. Try again in a few minutes.",
  otherZone:
    "With this GSTIN the amount would change: supplies to special economic zones are taxed differently. Contact us.",
  invoiceTax:
    "These details would change the kind of tax, which has to be the same on an invoice and its credit notes. Use the state and GSTIN of the other document, or correct that one first.",
  otherSeller:
    "This document was issued under another tax registration of ours, so it can't be corrected here. Contact us.",
  shortLegalName: "Enter the full legal name: at least {count} characters.",

  buyerGstinInvalid:
    "The tax office doesn't know the buyer's GSTIN. Check the GSTIN, or remove it if the company has none.",
  buyerGstinInactive:
    "The buyer's GSTIN is cancelled or suspended. Enter another GSTIN of the company, or remove it.",
  sameParty: "The buyer's GSTIN is our own. Enter the buyer's GSTIN.",
  pincode: "The pincode isn't in the state. Correct the pincode or the state.",
  stateOfGstin: "The state in the address isn't the state of the GSTIN. Correct the one that is wrong.",
  placeOfSupply: "The kind of tax doesn't match the buyer's state. Correct the state or the GSTIN.",
  legalName: "The legal name is too short, too long, or has characters that the tax office doesn't accept.",
  tradeName: "The trade name is too short, too long, or has characters that the tax office doesn't accept.",
  street: "The address is too short, too long, or has characters that the tax office doesn't accept.",
  city: "The city is too short, too long, or has characters that the tax office doesn't accept.",
  pincodeForm: "The pincode isn't valid.",
  ours: "Our own details on it were rejected, not yours. We've been alerted and will correct them.",
  tooOld:
    "It wasn't registered within 30 days, and the tax office accepts no older documents. It will get a new number.",
  different: "The tax office has a different document under the same number. It will get a new number.",
  unreadable: "The tax office has registered it, but no longer shows it to us. We'll complete it manually.",
  other: "It gave this reason: {words}",
  noReason: "It gave no reason.",
} as const;
