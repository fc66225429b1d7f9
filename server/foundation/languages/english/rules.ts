/** A company's rules for its orders: on the members page, and where an order needs an approver. */
export const rules = {
  title: "Order approval rules",
  intro:
    "An approver or another owner approves by emailed link. If the order changes, it needs approval again.",
  approvalAbove: "Orders above this amount need approval ({currency})",
  approvalAboveHint: "Leave empty for no limit.",
  includesOwners: "Owners' orders need approval too",
  save: "Save rules",
  saved: "Rules saved.",
  anAmount: "Enter an amount such as 50000 or 50000.50.",
  noneAbove: "Orders of any amount can be placed without approval.",
  above: "Orders above {most} need approval.",
  aboveAndOwners: "Orders above {most} need approval, including owners'.",

  limits: "Limits<hidden> of {name}</hidden>",
  perOrder: "Limit per order ({currency})",
  perMonth: "Limit per month ({currency})",
  limitsHint: "Orders above these limits need approval. Leave a field empty for no limit.",
  saveLimits: "Save<hidden> the limits of {name}</hidden>",
  limitsSaved: "Limits saved.",

  aboveAmount: "Your company's orders above {most} need approval first.",
  abovePerOrder: "This order is over the buyer's limit of {most} per order, so it needs approval first.",
  abovePerMonth:
    "With {ordered} already ordered this month, this order is over the buyer's limit of {most} per month, so it needs approval first.",
  otherCurrency: "Your company's rules are in {currency} and this order isn't, so it needs approval first.",
  ask: "Ask for approval",
  whoCounts: "{approvers} can approve for your company.",
  nobodyCounts: "Nobody can approve for your company yet. Ask an owner to make someone an approver.",
} as const;
