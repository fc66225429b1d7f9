/** A company's rules for its orders: on the members page, and where an order needs an approver. */
export const rules = {
  title: "Rules for orders",
  intro: "An approver or another owner approves by a link. A changed order needs to be approved again.",
  approvalAbove: "Orders above this amount need approval ({currency})",
  approvalAboveHint: "Leave it empty, and no amount does.",
  includesOwners: "Owners’ orders need approval too",
  save: "Save the rules",
  saved: "Rules saved.",
  anAmount: "Enter an amount such as 50000 or 50000.50.",
  noneAbove: "Orders of any amount can be placed without approval.",
  above: "Orders above {most} need approval.",
  aboveAndOwners: "Orders above {most} need approval, owners’ too.",

  limits: "Limits<hidden> of {name}</hidden>",
  perOrder: "Most per order ({currency})",
  perMonth: "Most per month ({currency})",
  limitsHint: "Above them an order needs approval. Leave a field empty for no limit.",
  saveLimits: "Save<hidden> the limits of {name}</hidden>",
  limitsSaved: "Limits saved.",

  aboveAmount: "Your company’s orders above {most} need approval first.",
  abovePerOrder:
    "This order is above {most}, the most that its buyer may order at once: it needs approval first.",
  abovePerMonth:
    "With {ordered} ordered this month, this order goes above {most}, the most that its buyer may order in a month: it needs approval first.",
  otherCurrency: "Your company’s rules are in {currency}, and this order is not: it needs approval first.",
  ask: "Ask for approval",
  whoCounts: "{approvers} can say yes for your company.",
  nobodyCounts: "Nobody can say yes for your company yet: ask an owner to make somebody an approver.",
} as const;
