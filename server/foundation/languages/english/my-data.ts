/** My Data: everything that is stored of a person as a file, and the deletion of the account. */
export const myData = {
  title: "My Data",
  lead: "Download the data we hold about you, or delete your account.",
  link: "My data: export and deletion",

  export: "Export",
  exportAbout:
    "A ZIP file with all the data we hold about you, as JSON. A company's export also has its invoices and credit notes as PDFs. We'll email you when it's ready. You can download it here, signed in, for {days} days.",
  exportOwn: "Export my data",
  exportCompany: "Export the data of {company}",
  exportAsked: "We are making your export, and will email you when it is ready.",
  exports: "Your exports",
  of: "Data",
  yours: "Your own data",
  asked: "Requested",
  state: "Status",
  progress: "{percent}% done",
  making: "Preparing",
  keepsGoing: "This page updates automatically. You can leave it.",
  until: "Until {date}",
  download: "Download",
  over: "This export has expired. Request a new one.",

  consents: "What you have accepted",
  consentText: "Document",
  consentVersion: "Version",
  consentWhen: "Accepted",
  consentWhere: "Network",
  consentOf: "{text, select, terms {Terms of sale and of the order} other {Privacy notice}}",
  consentUnknown: "Unknown",
  noConsents: "Nothing is recorded. For older orders, we recorded only when their terms were accepted.",

  delete: "Delete my account",
  deleteAbout:
    "We delete your name, email, phone number and addresses wherever they are stored, with your sessions, connected accounts, invitations, contacts in draft orders, and the emails we sent you. If you're the only member of your company, we delete its name and addresses too.",
  keptAbout: "The law requires us to keep the following. We use it for nothing else:",
  keptDocuments:
    "Invoices, credit notes and proformas with the name and address on them: 72 months from the annual return (CGST Act, section 36), and 8 years for our books (Companies Act 2013, section 128).",
  keptMoney:
    "Payments, refunds and disputes with their amounts and references, as part of the same books, and an internal number for the person who decided on them.",
  deleteGrace:
    "Nothing happens for {days} days. We'll email you a link to cancel the deletion, and you can also cancel it here. After that it can't be undone, even by us.",
  inTheWay: "Your account cannot be deleted yet:",
  unfinished:
    "{count, plural, one {Order {orders}} other {Orders {orders}}}{more, plural, =0 {} other { and {more} more}}: delivery, a refund or a document isn't finished. See My Orders, wait until it is, or contact us.",
  lastOwnerRunning:
    "You're the last owner of {company}, which has {count, plural, one {an active subscription} other {{count} active subscriptions}}. Make someone else an owner in Members, or cancel what's active.",
  lastOwner: "You're the last owner of {company}. Make someone else an owner in Members first.",
  passwordMissing: "Please enter your password.",
  deleteNow: "Delete my account",
  noPassword: "You need a password to confirm the deletion. <link>Set one</link>.",
  deleteAsked: "Your account will be deleted on {date}. We've emailed you a link to cancel this.",
  pending: "Your account will be deleted on {date}.",
  keep: "Keep my account",
  kept: "Your account won't be deleted.",
  proveFirst: "Confirm your email in My Account first, so that only you can export or delete your data.",

  keepTitle: "Keep your account?",
  keepLead: "Your account will be deleted on {date}, unless you keep it.",
  linkOver: "This link no longer works",
  linkOverWhy: "It has been used or has expired, or there's no deletion left to cancel. Check My Data.",

  exportSubject: "Your data is ready to download",
  exportPreheader: "Sign in to download it within {days} days.",
  exportMail:
    "{whose, select, company {The data of your company is} other {Your data is}} ready. Sign in with this account to download it until {date}.",
  exportNotYou: "If you didn't request this, change your password: someone else may have used your account.",
  openMyData: "Open My Data",
  deletionSubject: "Your {store} account will be deleted",
  deletionPreheader: "On {date}, unless you keep it.",
  deletionMail:
    "You asked us to delete your account. We'll do this on {date}. Until then, you can cancel it with the button below. After that it can't be undone.",
  deletionNotYou: "If this wasn't you, keep the account and change your password now.",
  stoppedSubject: "Your {store} account was not deleted",
  stoppedPreheader: "Something needs your attention first.",
  stoppedMail:
    "Your account was due to be deleted, but something in it isn't finished, or you're the last owner of a company. My Data has the details, and you can request the deletion again there.",
} as const;
