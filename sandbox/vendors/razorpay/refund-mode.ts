/** The ways in which the sandbox's Razorpay answers to refunds. */
import { z } from "zod";

/** `pending` answers leave a refund open until the lever moves it; a `low` balance refuses every refund. */
export const refundModeSchema = z.object({
  answer: z.enum(["processed", "pending"]).default("processed"),
  balance: z.enum(["enough", "low"]).default("enough"),
});
export type RefundMode = z.infer<typeof refundModeSchema>;
export const defaultRefundMode: RefundMode = { answer: "processed", balance: "enough" };
