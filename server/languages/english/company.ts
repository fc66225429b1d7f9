/** The company's page: what a company says of itself. */
export const company = {
  title: "Company",
  ownersOnly: "Only an owner of the company can change this.",
  intro:
    "What you change here counts for what you order from now on, and for orders that are not paid yet. Documents keep what they said when they were issued.",
  legalName: "Legal name",
  legalNameHint: "As it is registered. It is printed on your invoices.",
  save: "Save",
  nameSaved: "The name is saved.",

  places: "Where you are invoiced",
  placesHint: "Each place has its address and its own registration. When you order, you choose among them.",
  standard: "Used unless an order says otherwise",
  makeStandard: "Use by default<hidden>: {place}</hidden>",
  madeStandard: "Orders are now invoiced there unless they say otherwise.",
  add: "Add a place",
  change: "Change<hidden> {place}</hidden>",
  remove: "Remove<hidden> {place}</hidden>…",
  removeQuestion: "It is no longer offered when you order. Documents that name it stay as they are.",
  removeIt: "Remove this place",
  removed: "The place is removed.",
  lastPlace: "This is the only place in its country. Add another before you remove it.",
  placeSaved: "The place is saved.",
  newPlace: "Add a place",
  changePlace: "Change a place",
  back: "Back to the company",
  registered: "The GST register has {number} as {name}, {status}.",
  notRegistered: "{number} is not verified yet. Save the place again, and we ask the GST register.",

  tax: "Tax you withhold",
  taxHint:
    "If your company withholds TDS from what it pays us, say so here. Before a bank transfer we then say what is left to send.",
  deductorNumber: "TAN",
  deductorNumberHint: "Such as {example}",
  deductorNumberForm: "A TAN is 4 letters, 5 digits and a letter, such as {example}.",
  section: "Section of the law",
  sectionHint: "Such as 194J",
  rate: "Rate on the value before tax",
  nothing: "Nothing",
  otherEntity:
    "This number belongs to another legal entity: its PAN is {given}, and that of your company’s other places is {known}. Another entity is a company of its own here: order for it with an account of its own.",
  unknownRate: "Please choose one of the rates.",
  taxSaved: "Your tax details are saved.",

  documents: "Invoices with earlier details",
  documentsSay:
    "{count, plural, one {Invoice {newest} says:} other {{count} invoices, the newest {newest}, say:}}",
} as const;
