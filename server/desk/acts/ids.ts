/** The acts of staff, as their addresses name them. */
export const actIds = [
  "order.retry",
  "order.note",
  "order.refund",
  "order.resend-mail",
  "customer.note",
  "customer.view",
  "customer.bind-tenant",
  "customer.bring-subscription",
  "document.retry",
  "document.cancel",
  "difference.acknowledge",
  "item.done",
  "staff.add",
  "staff.role",
  "staff.end-sessions",
  "staff.reset",
  "staff.remove",
] as const;

export type ActId = (typeof actIds)[number];
