/** The company's page: what a company says of itself. */
export const company = {
  title: "Company",
  ownersOnly: "Only an owner of the company can change this.",
  intro:
    "Changes apply to new orders and orders that aren't paid yet. Documents already issued stay the same.",
  legalName: "Legal name",
  legalNameHint: "Your registered name, as printed on your invoices.",
  save: "Save",
  nameSaved: "Name saved.",

  places: "Billing addresses",
  placesHint: "Each billing address has its own tax registration. You choose one when you order.",
  standard: "Default",
  makeStandard: "Make default<hidden>: {place}</hidden>",
  madeStandard: "Default billing address updated.",
  add: "Add billing address",
  change: "Edit<hidden> {place}</hidden>",
  remove: "Remove<hidden> {place}</hidden>…",
  removeQuestion: "You won't be able to choose it for new orders. Existing documents won't change.",
  removeIt: "Remove billing address",
  removed: "Billing address removed.",
  lastPlace: "This is your only billing address in this country. Add another before you remove it.",
  placeSaved: "Billing address saved.",
  newPlace: "Add billing address",
  changePlace: "Edit billing address",
  back: "Back to the company",
  registered: "GST register: {number} is {name}, {status}.",
  notRegistered: "{number} isn't verified yet. Save this address again to check it with the GST register.",

  tax: "Tax you deduct (TDS)",
  taxHint:
    "If your company deducts TDS from what it pays us, enter it here. For bank transfers, we'll show the net amount to send.",
  deductorNumber: "TAN",
  deductorNumberHint: "Such as {example}",
  deductorNumberForm: "A TAN is 4 letters, 5 digits and a letter, such as {example}.",
  section: "Section of the law",
  sectionHint: "Such as 194J",
  rate: "Rate on the value before tax",
  nothing: "No TDS",
  otherEntity:
    "This number belongs to a different legal entity: its PAN is {given}, but your company's other addresses use {known}. To order for that entity, create a separate account for it.",
  unknownRate: "Please choose one of the rates.",
  taxSaved: "Your tax details are saved.",

  documents: "Invoices with previous details",
  documentsSay:
    "{count, plural, one {Invoice {newest} shows:} other {{count} invoices (latest: {newest}) show:}}",
} as const;
