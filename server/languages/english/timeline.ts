/** What happened to an order, and when. */
export const timeline = {
  label: "What happened to your order",
  paid: "Paid",
  account: "Account made",
  ready: "Licences ready",
  mailed: "Mailed to you",
  credited: "{amount} refunded: credit note {number}",
  done: "done",
  now: "under way",
} as const;
