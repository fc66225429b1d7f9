/** Cancelling a subscription, or giving back some of its licences, before the end of a term. */
export const cancellation = {
  link: "Cancel or reduce",
  linkOf: "Cancel or reduce: {what}",
  about: "{licences} for <domain>{domain}</domain>, until {date}.",

  window: "Licences of the new term can be given back until {moment}",
  cancel: "Cancel the subscription",
  cancelEffect:
    "The whole subscription ends at once: its licences stop working, and it cannot be brought back. Save what you need first.",
  reduce: "Give back licences",
  reduceEffect:
    "These licences stop working at once; the others stay. Make sure first that they are assigned to nobody.",
  until: "Possible until {moment}.",
  comesBack: "<amount>{amount}</amount> comes back to you, with the tax on it.",
  seats: "Licences to give back",
  seatsHint: "You have {held}. You can give back up to {most}.",
  seatsMost: "You can give back up to {licences}.",
  seeAmount: "See what comes back",
  howMuch:
    "What comes back is the unused part of what you paid, by the day. It goes back the way it was paid, and a credit note comes with it. Banks take 5 to 7 working days.",
  atTheEnd: "At the end of the term",
  atTheEndText:
    "There is nothing to cancel: a subscription that is not renewed ends with its term, and nothing more is charged. For fewer licences, renew it for as many as you need.",

  confirmCancel: "Cancel {name}?",
  confirmReduce: "Give back {licences} of {name}?",
  amounts: "What comes back",
  ofOrder: "Order {number}, {licences}",
  total: "Comes back to you",
  cancelNow: "Cancel it now",
  reduceNow: "Give them back now",
  keep: "Keep it as it is",
  back: "My Subscriptions",

  cancelling: "Cancellation of {name}",
  reducing: "Fewer licences of {name}",
  whereItStands: "Where it stands",
  stepAsked: "Asked for",
  stepEnded: "Ended at {family}",
  stepReduced: "Taken off at {family}: {licences}",
  stepRefund: "Refund of {amount} under way, with its credit note",
  stepNoRefund: "No money comes back",
  stepMoney: "The money is back where it came from",
  bankReferences: "Bank reference: {references}",
  stepRefused: "Refused by {family}",
  moneyTakes: "Banks take 5 to 7 working days.",
  moneyFailed: "The refund did not go through. Our team has been told and will write to you.",
  goesOn: "This goes on by itself. You can close this page: a mail tells you when it is done.",
  lookedAfter:
    "This takes longer than usual. Our team has been told and looks after it. A mail tells you when it is done.",
  creditNotes: "The credit note is in <link>My Orders</link>, with the invoice.",

  alreadyCancelled: "This subscription is cancelled.",
  ended: "This subscription has ended. There is nothing to cancel.",
  underWay: "This subscription is being cancelled or reduced. Until that is done it cannot be changed.",
  orderUnderWay: "An order for this subscription is being carried out. Please try again when it is done.",
  addOnsFirst: "Add-ons go with this subscription. Please cancel them first.",
  addOnsNeedThem: "Add-ons need all of its licences. Please reduce them first.",
  notPaidHere: "This subscription was not paid for here, so nothing can come back for it.",
  nextTermPaid:
    "Its next term is paid for. Licences can be given back again for a while after that term has begun.",
  oneLicence: "It has one licence. To give that back, cancel the subscription.",
  vendorRefuses: "The vendor does not take this subscription back.",
  over: "This was possible until {date}.",
  changed: "What comes back has changed meanwhile. Please look at it again.",
  noAnswer:
    "{family} does not answer at the moment, so we cannot say what is possible. Please try again in a few minutes.",
  refusedCancel:
    "{family} did not cancel the subscription, because its time for that has passed. The subscription goes on as before, and nothing comes back.",
  refusedReduce:
    "{family} did not take the licences back, because its time for that has passed. You have as many as before, and nothing comes back.",
  stoppedCancel:
    "{family} does not cancel the subscription: {reason} The subscription goes on as before, and nothing comes back.",
  stoppedReduce:
    "{family} does not take the licences back: {reason} You have as many as before, and nothing comes back.",
  reasonCancelled: "You have cancelled {name} for {domain}.",
  reasonReduced: "You have given back {licences} of {name} for {domain}.",

  mailCancelledSubject: "Cancelled: {name}, {domain}",
  mailCancelled:
    "{name} for {domain} is cancelled. Its licences no longer work, and nothing more is charged for it.",
  mailReducedSubject: "Fewer licences: {name}, {domain}",
  mailReduced: "{given} of {name} for {domain} were given back. You have {left} now.",
  mailMoney: "{amount} goes back the way it was paid, with a credit note. Banks take 5 to 7 working days.",
  mailCreditNote: "Credit note",
  mailCreditNotes: "Open the credit notes in My Orders",
  mailNoMoney: "No money comes back for it.",
  mailRefusedCancelSubject: "Not cancelled: {name}, {domain}",
  mailRefusedReduceSubject: "Licences not given back: {name}, {domain}",
  mailSee: "See where it stands",
} as const;
