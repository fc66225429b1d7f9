/** Posts of an approver or a payer from a mailed link. */
import { z } from "zod";

/** Hash of the shown version, for comparison. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const answerSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum(["approved", "refused"]),
    hash,
    words: z
      .string()
      .trim()
      .max(300)
      .optional()
      .transform((words) => words ?? ""),
  }),
  z.object({ intent: z.enum(["checkout", "transfer", "transferred"]), hash }),
]);
