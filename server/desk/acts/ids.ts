/** The acts of staff, as their addresses name them. */
export const actIds = [
  "order.retry",
  "order.note",
  "order.refund",
  "order.resend-mail",
  "order.send-link",
  "order.address",
  "order.contact",
  "order.tenant-name",
  "order.username",
  "order.move",
  "order.mark-done",
  "order.close",
  "cancellation.refuse",
  "cancellation.finish",
  "document.retry",
  "document.cancel",
  "difference.acknowledge",
  "item.done",
  "vendor.look",
  "staff.add",
  "staff.role",
  "staff.end-sessions",
  "staff.reset",
  "staff.remove",
] as const;

export type ActId = (typeof actIds)[number];
