/** Lists Razorpay's payout lines as provider-independent records (docs/providers.md, section 3.7). */
import type { SettlementKind } from "#db/tables/reconciliation.ts";
import { maxSettledLines } from "#server/integrations/razorpay.ts";
import type { PaymentProvider } from "../provider.ts";

const kinds: Readonly<Record<string, SettlementKind>> = { payment: "payment", refund: "refund" };

export const listSettled: NonNullable<PaymentProvider["listSettled"]> = async (
  context,
  account,
  day,
  skip,
) => {
  const read = await context.razorpayOf(account).listSettledLines(day, skip);
  return {
    lines: read.flatMap((line) => {
      if (line === null) return [];
      const { type, paymentId, disputeId, utr, ...rest } = line;
      const kind = kinds[type] ?? "other";
      const providerPaymentId = kind === "payment" ? line.entityId : paymentId;
      return [{ ...rest, kind, providerPaymentId, providerDisputeId: disputeId, bankReference: utr }];
    }),
    next: read.length < maxSettledLines ? null : skip + read.length,
  };
};
