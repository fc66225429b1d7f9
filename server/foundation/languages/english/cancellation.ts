/** Cancelling a subscription, or giving back some of its licences, before the end of a term. */
export const cancellation = {
  link: "Cancel or reduce",
  linkOf: "Cancel or reduce: {what}",
  about: "{licences} for <domain>{domain}</domain>, until {date}.",

  window: "You can remove licenses from the new term until {moment}",
  cancel: "Cancel subscription",
  cancelEffect:
    "The whole subscription ends immediately. Its licenses stop working, and you can't undo this. Save any data you need first.",
  reduce: "Remove licenses",
  reduceEffect:
    "These licenses stop working immediately; the rest aren't affected. Unassign them from users first.",
  until: "You can do this until {moment}.",
  comesBack: "You'll be refunded <amount>{amount}</amount>, including tax.",
  seats: "Licenses to remove",
  seatsHint: "You have {held}. You can remove up to {most}.",
  seatsMost: "You can remove up to {licences}.",
  seeAmount: "See your refund",
  howMuch:
    "We refund the unused part of what you paid, calculated by the day, to your original payment method. You'll also get a credit note. Refunds usually take 5 to 7 working days to reach your account.",
  atTheEnd: "At the end of the term",
  atTheEndText:
    "You don't need to cancel: if you don't renew, the subscription ends with its term and you won't be charged again. To have fewer licenses, renew with the number you need.",

  confirmCancel: "Cancel {name}?",
  confirmReduce: "Remove {licences} from {name}?",
  amounts: "Your refund",
  ofOrder: "Order {number}, {licences}",
  total: "Refund total",
  cancelNow: "Cancel subscription",
  reduceNow: "Remove licenses",
  keep: "Keep as it is",
  back: "My Subscriptions",

  cancelling: "Cancellation of {name}",
  reducing: "Removing licenses from {name}",
  whereItStands: "Status",
  stepAsked: "Requested",
  stepEnded: "Ended by {family}",
  stepReduced: "Removed by {family}: {licences}",
  stepRefund: "Refund of {amount} and credit note in progress",
  stepNoRefund: "No refund due",
  stepMoney: "Refund completed",
  bankReferences: "Bank reference: {references}",
  stepRefused: "Rejected by {family}",
  moneyTakes: "Refunds usually take 5 to 7 working days to reach your account.",
  moneyFailed: "The refund didn't go through. Our team has been notified and will contact you.",
  goesOn: "This will finish automatically. You can close this page; we'll email you when it's done.",
  lookedAfter:
    "This is taking longer than usual. Our team is working on it and we'll email you when it's done.",
  creditNotes: "The credit note is in <link>My Orders</link>, with the invoice.",

  alreadyCancelled: "This subscription has been cancelled.",
  ended: "This subscription has ended. There is nothing to cancel.",
  underWay: "This subscription is being cancelled or reduced. You can't change it until that's done.",
  orderUnderWay: "An order for this subscription is being processed. Try again when it's complete.",
  addOnsFirst: "This subscription has add-ons. Cancel them first.",
  addOnsNeedThem: "Its add-ons need all of these licenses. Reduce the add-ons first.",
  notPaidHere: "This subscription wasn't paid for here, so we can't refund it.",
  nextTermPaid:
    "You've already paid for the next term. You can remove licenses again for a short time after it starts.",
  oneLicence: "This subscription has one license. To remove it, cancel the subscription.",
  vendorRefuses: "The vendor doesn't allow this subscription to be cancelled.",
  over: "The deadline for this was {date}.",
  changed: "Your refund amount has changed. Please check it again.",
  noAnswer: "{family} isn't responding, so we can't check what's possible. Try again in a few minutes.",
  refusedCancel:
    "{family} didn't cancel the subscription because the deadline has passed. Your subscription continues as before and there's no refund.",
  refusedReduce:
    "{family} didn't remove the licenses because the deadline has passed. You keep all your licenses and there's no refund.",
  stoppedCancel:
    "{family} couldn't cancel the subscription: {reason} Your subscription continues as before and there's no refund.",
  stoppedReduce:
    "{family} couldn't remove the licenses: {reason} You keep all your licenses and there's no refund.",
  reasonCancelled: "You have cancelled {name} for {domain}.",
  reasonReduced: "You removed {licences} from {name} for {domain}.",

  mailCancelledSubject: "Cancelled: {name}, {domain}",
  mailCancelled:
    "{name} for {domain} has been cancelled. Its licenses no longer work, and you won't be charged for it again.",
  mailReducedSubject: "Licenses removed: {name}, {domain}",
  mailReduced: "You removed {given} from {name} for {domain}. You now have {left}.",
  mailMoney:
    "We're refunding {amount} to your original payment method, with a credit note. It usually takes 5 to 7 working days.",
  mailCreditNote: "Credit note",
  mailCreditNotes: "Open the credit notes in My Orders",
  mailNoMoney: "There's no refund for this.",
  mailRefusedCancelSubject: "Not cancelled: {name}, {domain}",
  mailRefusedReduceSubject: "Licenses not removed: {name}, {domain}",
  mailSee: "See status",
} as const;
