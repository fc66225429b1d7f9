/** My Data: everything that is stored of a person as a file, and the deletion of the account. */
export const myData = {
  title: "My Data",
  lead: "Take with you what we store about you, or have your account deleted.",
  link: "My data: export and deletion",

  export: "Export",
  exportAbout:
    "A zip with everything that is stored about you, as JSON. A company’s has its invoices and credit notes as PDFs too. We make it in the background and email you when it is ready. For {days} days you can download it here, signed in.",
  exportOwn: "Export my data",
  exportCompany: "Export the data of {company}",
  exportAsked: "We are making your export, and will email you when it is ready.",
  exports: "Your exports",
  of: "Of",
  yours: "Your own data",
  asked: "Asked for",
  state: "State",
  progress: "{percent}% done",
  making: "Being made",
  keepsGoing: "This page follows by itself. You can also leave it.",
  until: "Until {date}",
  download: "Download",
  over: "This export is over. Please ask for a new one.",

  consents: "What you have accepted",
  consentText: "Text",
  consentVersion: "Version",
  consentWhen: "Accepted",
  consentWhere: "From the network",
  consentOf: "{text, select, terms {Terms of sale and of the order} other {Privacy notice}}",
  consentUnknown: "Unknown",
  noConsents:
    "Nothing is recorded. Orders from before versions were recorded say only when their terms were accepted.",

  delete: "Delete my account",
  deleteAbout:
    "Your name, email, telephone and addresses are deleted wherever they are stored, with your sessions, sign-ins, invitations, drafts' contacts and the mails we have sent you. If nobody else is in your company, its name and addresses go too.",
  keptAbout: "What the law has us keep stays, and is used for nothing else:",
  keptDocuments:
    "Invoices, credit notes and proformas with the name and address on them: 72 months from the annual return (CGST Act, section 36), and 8 years for our books (Companies Act 2013, section 128).",
  keptMoney:
    "Payments, refunds and disputes with their amounts and references, as part of the same books, and who decided on them, by an internal number.",
  deleteGrace:
    "Nothing happens for {days} days. We email you a link that takes it back, and you can take it back here. After that it cannot be undone, by us either.",
  inTheWay: "Your account cannot be deleted yet:",
  unfinished:
    "{count, plural, one {An order, a refund or a document is} other {{count} orders, refunds or documents are}} not finished. Wait until they are, or write to us.",
  lastOwnerRunning:
    "You are the last owner of {company}, which has {count, plural, one {a running subscription} other {{count} running subscriptions}}. Make somebody else an owner on the Members page, or cancel what runs.",
  lastOwner: "You are the last owner of {company}. Make somebody else an owner on the Members page first.",
  passwordMissing: "Please enter your password.",
  deleteNow: "Delete my account",
  noPassword: "To confirm a deletion your account needs a password. <link>Set one</link>.",
  deleteAsked: "Your account will be deleted on {date}. We have emailed you a link that takes it back.",
  pending: "Your account will be deleted on {date}.",
  keep: "Keep my account",
  kept: "Your account stays.",
  proveFirst:
    "Please confirm your email first, on My Account: exports and deletions are for who has the mailbox.",

  keepTitle: "Keep your account?",
  keepLead: "Your account will be deleted on {date}, unless you keep it.",
  linkOver: "This link no longer works",
  linkOverWhy:
    "It was used, its days are over, or nothing is to be deleted any more. You can see it on My Data.",

  exportSubject: "Your data is ready to download",
  exportPreheader: "Signed in, for {days} days.",
  exportMail:
    "{whose, select, company {The data of your company is} other {Your data is}} ready. You can download it until {date}, signed in with this account.",
  exportNotYou: "If you did not ask for it, change your password: somebody else has used your account.",
  openMyData: "Open My Data",
  deletionSubject: "Your {store} account will be deleted",
  deletionPreheader: "On {date}, unless you keep it.",
  deletionMail:
    "You have asked us to delete your account. We do it on {date}: until then the button takes it back. Afterwards it cannot be undone.",
  deletionNotYou: "If it was not you, keep the account and change your password at once.",
  stoppedSubject: "Your {store} account was not deleted",
  stoppedPreheader: "Something has come in the way.",
  stoppedMail:
    "The deletion of your account was due, but something in it is not finished, or you are the last owner of a company. My Data says what; you can ask for the deletion again there.",
} as const;
