/** The invoices that the registration portal knows. */
import { z } from "zod";

const registeredInvoice = z.object({
  irn: z.string(),
  ackNo: z.string(),
  /** Unix milliseconds. */
  ackAt: z.number(),
  signedQr: z.string(),
  signedInvoice: z.string(),
  status: z.enum(["ACT", "CNL"]),
  document: z.unknown(),
});
export type RegisteredInvoice = z.infer<typeof registeredInvoice>;
/** Registered invoices by their IRN. */
export const gspState = z.record(z.string(), registeredInvoice);
