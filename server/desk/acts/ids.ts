/** The acts of staff, as their addresses name them. */
export const actIds = [
  "order.retry",
  "order.note",
  "order.refund",
  "order.resend-mail",
  "order.certificate",
  "document.retry",
  "document.cancel",
  "document.register",
  "difference.acknowledge",
  "item.done",
  "staff.add",
  "staff.role",
  "staff.end-sessions",
  "staff.reset",
  "staff.remove",
] as const;

export type ActId = (typeof actIds)[number];
