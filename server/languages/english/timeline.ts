/** What happened to an order, and when. */
export const timeline = {
  label: "What happened to your order",
  paid: "Paid",
  account: "Account created",
  ready: "Licenses ready",
  mailed: "Emailed to you",
  credited: "{amount} refunded: credit note {number}",
  done: "done",
  now: "in progress",
} as const;
