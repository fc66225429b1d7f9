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
  "mail.resend",
  "mail-suppression.lift",
  "job.retry",
  "jobs.retry-all",
  "vendor.probe",
  "staff.add",
  "staff.role",
  "staff.end-sessions",
  "staff.reset",
  "staff.remove",
] as const;

export type ActId = (typeof actIds)[number];
