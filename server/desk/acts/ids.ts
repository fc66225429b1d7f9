/** The acts of staff, as their addresses name them. */
export const actIds = [
  "order.retry",
  "order.note",
  "order.refund",
  "order.resend-mail",
  "document.retry",
  "document.cancel",
  "difference.acknowledge",
  "item.done",
  "price-list.day",
  "price-list.apply",
  "price-list.discard",
  "price-list.take-back",
  "staff.add",
  "staff.role",
  "staff.end-sessions",
  "staff.reset",
  "staff.remove",
] as const;

export type ActId = (typeof actIds)[number];
