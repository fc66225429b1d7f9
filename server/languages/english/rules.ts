/** A company's rules for its orders: on the members page, and where an order needs an approver's yes. */
export const rules = {
  title: "Rules for orders",
  intro: "An approver or another owner says yes by a link. A change of the order needs a new yes.",
  approvalAbove: "Orders above this amount need a yes ({currency})",
  approvalAboveHint: "Leave it empty, and no amount does.",
  includesOwners: "Owners’ orders need a yes too",
  save: "Save the rules",
  saved: "Rules saved.",
  anAmount: "Enter an amount such as 50000 or 50000.50.",
  noneAbove: "Orders of any amount can be placed without a yes.",
  above: "Orders above {most} need an approver’s yes.",
  aboveAndOwners: "Orders above {most} need an approver’s yes, owners’ too.",

  limits: "Limits<hidden> of {name}</hidden>",
  perOrder: "Most per order ({currency})",
  perMonth: "Most per month ({currency})",
  limitsHint: "Above them an order needs a yes. Leave a field empty for no limit.",
  saveLimits: "Save<hidden> the limits of {name}</hidden>",
  limitsSaved: "Limits saved.",

  aboveAmount: "Your company’s orders above {most} need an approver’s yes first.",
  abovePerOrder:
    "This order is above {most}, the most that its buyer may order at once: it needs an approver’s yes first.",
  abovePerMonth:
    "With {ordered} ordered this month, this order goes above {most}, the most that its buyer may order in a month: it needs an approver’s yes first.",
  otherCurrency:
    "Your company’s rules are in {currency}, and this order is not: it needs an approver’s yes first.",
  ask: "Ask for approval",
  whoCounts: "{approvers} can say yes for your company.",
  nobodyCounts: "Nobody can say yes for your company yet: ask an owner to make somebody an approver.",
} as const;
