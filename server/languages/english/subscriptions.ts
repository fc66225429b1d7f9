/** My Subscriptions, and why a subscription cannot be changed. */
export const subscriptions = {
  title: "My Subscriptions",
  add: "New Subscription",
  searchLabel: "Domain or order id",
  serviceDetails: "Service Details",
  domain: "Domain",
  purchased: "Purchased Licenses",
  start: "Start Date",
  end: "End Date",
  actions: "Actions",

  active: "Active",
  activeList: "Active subscriptions",
  activePages: "Pages of active subscriptions",
  noneActive: "No active subscriptions found.",
  noneYet: "What your company buys is listed here, with its price and the day on which it ends.",
  expired: "Expired",
  expiredList: "Expired subscriptions",
  expiredPages: "Pages of expired subscriptions",
  noneExpired: "No expired subscriptions found.",

  buyMore: "Buy more",
  buyMoreOf: "Buy more: {what}",
  renew: "Renew",
  renewOf: "Renew: {what}",
  addItem: "Add {name}",
  addItemTo: "Add {name} to {what}",
  what: "{name}, {domain}",

  aYear: "<amount>{amount}</amount> a year{tax}",
  aMonth: "<amount>{amount}</amount> a month{tax}",
  inDays: "{count, plural, one {in {count} day} other {in {count} days}}",
  inMonths: "{count, plural, one {in {count} month} other {in {count} months}}",

  dueTitle: "{days, plural, one {{name} ends in {days} day} other {{name} ends in {days} days}}",
  dueOn:
    "{licences} for <domain>{domain}</domain>, until {date}. The new term begins when this one ends: renewing early loses nothing.",
  dueIncludes: "{amount} includes {tax}.",
  dueRenewFor: "Renew for {amount}",
  dueOthers:
    "{count, plural, one {{count} more subscription ends soon.} other {{count} more subscriptions end soon.}}",

  overview: "Spend and renewals",
  ahead: "Renewals ahead",
  aheadTotal: "Next twelve months{tax}: <total>{total}</total>",
  aheadUnpriced:
    "{count, plural, one {Without {count} subscription that has no price today.} other {Without {count} subscriptions that have no price today.}}",
  spend: "Spend by month",
  spendTotal: "Last twelve months: <total>{total}</total>",
  spendTotalTaxed: "Last twelve months, with {tax}: <total>{total}</total>",

  renewed: "Renewed: next term from {date}, {licences}",
  extended: "Extended at {family} month by month, for now to {date}. Renew it to keep it.",
  isCancelled: "Cancelled",
  isMoved: "Moved away from us at {family}",
  isSuspended: "Suspended at {family}",
  isReduced: "Reduced at {family} from {licences} to {count}",
  waitsForTerms: "Waiting for your administrator to accept {family}'s terms",

  completed: "Your payment has been completed. Please click Continue to complete your order.",
  continue: "Continue",
  notNow: "Not now",

  notChanged: "{what}: {why}",
  cancelled: "This subscription was cancelled. Please place a new order.",
  moved: "This subscription is no longer ours at {family}. It is changed where it was moved to.",
  suspended: "{family} has suspended this subscription. It can be changed once it is active again.",
  endedRenewFirst: "This subscription has ended. Renew it first, then add licences.",
  renewedAlready: "This subscription has been renewed: its next term is paid for, to {date}.",
  renewalOpens: "Renewal opens on {date}, {days} days before the end.",
  lookedInto:
    "An earlier order for this subscription is being looked into by our team. Until that is done it cannot be changed, and nothing is charged. Please contact us if it is urgent.",
  renewsAll:
    "{family} renews all of your {licences}. For more, add licences first; for fewer, renew after the end of the term.",
} as const;
