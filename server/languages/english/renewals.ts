/** What is to become of a subscription at the end of its term. */
export const renewals = {
  choose: "Plan the renewal",
  chooseOf: "Plan the renewal: {what}",
  choiceTitle: "Renewal of {name}",
  about: "{licences} for <domain>{domain}</domain>, until {date}.",
  nothingYet:
    "Your choice is written down, and nothing else: nothing is charged or changed, and you can choose again until {date}.",
  opensOn: "The renewal itself opens on {date}. It is paid then, at the price of that day.",
  isOpen: "The renewal is open, and its term begins when this one ends.",
  isOpenByLink: "The renewal is open, and its term begins when this one ends. To pay for it, you log in.",

  keep: "Keep all {licences}",
  fewer: "Keep fewer",
  fewerPrice: "<amount>{price}</amount> for each licence{tax}.",
  seats: "Licences to keep",
  seatsHint: "From 1 to {most}.",
  seatsMost: "Please enter a number from 1 to {count}.",
  oneLicence: "There is one licence, so there are no fewer to keep.",
  stop: "Let it end",
  stopPrice:
    "<amount>{price}</amount>. On {date} the licences stop working; we send no more letters before that.",

  costsYear: "<amount>{price}</amount> for a year, at today's price.",
  costsMonth: "<amount>{price}</amount> for a month, at today's price.",
  costsYearTaxed: "<amount>{price}</amount> for a year, with {tax}, at today's price.",
  costsMonthTaxed: "<amount>{price}</amount> for a month, with {tax}, at today's price.",
  noPrice: "It is not sold like this any more. Ask us for the price.",

  keepAll: "Keep all",
  keepSome: "Keep this many",
  renewAll: "Renew all",
  renewSome: "Renew this many",
  toRenewal: "Go on to the renewal",
  undo: "Undo",

  inUse: "{assigned} of {of} in use, as of {date}",

  saidKeep: "To be renewed with all licences, chosen on {date}.",
  saidFewer: "To be renewed with {licences}, chosen on {date}.",
  saidStop: "To end with its term, chosen on {date}. We send no more letters about it.",
  kept: "Thank you. We have written it down.",
  stopped: "Thank you. It ends with its term, and we send no more letters about it.",
  undone: "Your choice is taken back.",

  ended: "This subscription has ended. It can be renewed in My Subscriptions.",
  choiceOpens: "This can be chosen from {date}, {days} days before the end.",
  underWay: "Its renewal is paid for and being carried out.",
  linkOver: "This link no longer works",
  linkOverWhy:
    "Links in letters about a renewal work until the end of the term they are about, for who may buy for the company. My Subscriptions shows how things stand.",

  title: "Renewals",
  seeYear: "Renewals of the next twelve months",
  lead: "What ends in the next twelve months, with what another term costs today. Nothing renews by itself.",
  none: "Nothing ends in the next twelve months.",
  together: "Together, with tax where there is any:",
  cost: "Another term",
  choice: "Your choice",
  feed: "Calendar",
  feedWhat:
    "Your calendar program can show these renewals: give it an address of your own. Whoever has the address can read them, without a login.",
  feedSince: "There is an address, made on {date}. It is shown only when it is made.",
  feedAmounts: "Show what each renewal costs",
  feedMake: "Make an address",
  feedAnew: "Make another address",
  feedEnd: "Switch it off",
  feedMade:
    "This is the address for your calendar program. It is shown this once; an earlier one no longer works.",
  feedAddress: "Address",
  feedEnded: "The calendar is switched off. Its address no longer works.",
  calendarName: "Renewals of {company}",
  calendarEvent: "{name} for {domain} ends",
  costsToday: "Another term costs {price} today.",
} as const;
