/** Settings for how the sandbox's Razorpay handles refunds. */
import { z } from "zod";

/** `pending` keeps a refund open until /control moves it; a `low` balance refuses every refund. */
export const refundModeSchema = z.object({
  answer: z.enum(["processed", "pending"]).default("processed"),
  balance: z.enum(["enough", "low"]).default("enough"),
});
export type RefundMode = z.infer<typeof refundModeSchema>;
export const defaultRefundMode: RefundMode = { answer: "processed", balance: "enough" };
