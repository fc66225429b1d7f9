/** What the steps of an order share: progress, bill, panel. */
export const journey = {
  place: "Step {at} of {of}",
  yourOrder: "Your order",
  done: "(done)",
  paid: "Paid",
  sumPaid: "{amount} paid",
  orderPaid: "Order {number}, {date}",
  oneStepLeft: "One step left",
  total: "Total",
  serviceDetails: "Service details",
  trouble: "Having trouble? <link>Contact us</link>",
  toggle: "Open or close your order",
} as const;
