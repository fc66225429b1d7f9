/** What happened to an order, and when. */
export const timeline = {
  label: "What happened to your order",
  paid: "Paid",
  account: "Account created",
  ready: "Licenses ready",
  mailed: "Emailed to you",
  paidNow: "Confirming your payment…",
  accountNow: "Creating your account…",
  readyNow: "Preparing your licenses…",
  mailedNow: "Emailing you…",
  paidNext: "Payment",
  accountNext: "Your account",
  readyNext: "Your licenses",
  mailedNext: "An email to you",
  credited: "{amount} refunded: credit note {number}",
  done: "done",
  now: "in progress",
} as const;
