/** My Subscriptions, and why a subscription cannot be changed. */
export const subscriptions = {
  title: "My Subscriptions",
  add: "New Subscription",
  searchLabel: "Domain or order ID",
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
  noneYet: "Your company's subscriptions will appear here, with prices and end dates.",
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

  aYear: "<amount>{amount}</amount> per year{tax}",
  aMonth: "<amount>{amount}</amount> per month{tax}",
  inDays: "{count, plural, one {in {count} day} other {in {count} days}}",
  inMonths: "{count, plural, one {in {count} month} other {in {count} months}}",

  dueTitle: "{days, plural, one {{name} ends in {days} day} other {{name} ends in {days} days}}",
  dueOn:
    "{licences} for <domain>{domain}</domain>, until {date}. The new term starts when this one ends, so you lose nothing by renewing early.",
  dueIncludes: "{amount} includes {tax}.",
  dueRenewFor: "Renew for {amount}",
  dueOthers:
    "{count, plural, one {{count} more subscription ends soon.} other {{count} more subscriptions end soon.}}",

  overview: "Spend and renewals",
  ahead: "Upcoming renewals",
  aheadTotal: "Next 12 months{tax}: <total>{total}</total>",
  aheadUnpriced:
    "{count, plural, one {Excludes {count} subscription that has no price today.} other {Excludes {count} subscriptions that have no price today.}}",
  spend: "Spend by month",
  spendTotal: "Last 12 months: <total>{total}</total>",
  spendTotalTaxed: "Last 12 months, including {tax}: <total>{total}</total>",

  renewed: "Renewed: next term from {date}, {licences}",
  extended: "Extended by {family} month by month, currently until {date}. Renew to keep it.",
  isCancelled: "Cancelled",
  isMoved: "No longer with us at {family}",
  isSuspended: "Suspended by {family}",
  isReduced: "Reduced at {family} from {licences} to {count}",
  waitsForTerms: "Waiting for your administrator to accept {family}'s terms",

  completed: "Your payment has been completed. Please click Continue to complete your order.",
  continue: "Continue",
  notNow: "Not now",

  notChanged: "{what}: {why}",
  cancelled: "This subscription was cancelled. Please place a new order.",
  moved: "This {family} subscription is no longer with us. Make changes where you moved it to.",
  suspended:
    "{family} has suspended this subscription, so you can't change it now. Contact us to find out why.",
  endedRenewFirst: "This subscription has ended. Renew it first, then add licenses.",
  renewedAlready: "This subscription has already been renewed: its next term is paid for, until {date}.",
  renewalOpens: "You can renew from {date}, {days} days before it ends.",
  lookedInto:
    "Our team is looking into an earlier order for this subscription. Until that's resolved, you can't change it and nothing is charged. Contact us if it's urgent.",
  renewsAll:
    "{family} renews all of your {licences}. To have more, add licenses first. To have fewer, renew after the term ends.",
} as const;
