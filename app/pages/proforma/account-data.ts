/** The bank account for a transfer, as the card above a proforma shows it. */
import type { Bank } from "#server/billing/documents/proforma.ts";
import { transferAmounts } from "#server/billing/documents/proforma-view.ts";
import type { TransferState } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import type { RequestContext } from "../../http/request-context.ts";

const dayMs = 86_400_000;

export type AccountView = ReturnType<typeof accountView>;

export function accountView(
  { text }: Pick<RequestContext, "text">,
  { proforma, missingMinor }: Pick<TransferState, "proforma" | "missingMinor">,
  bank: Bank,
  now: Date,
) {
  const { facts, number, validUntil } = proforma;
  const { due, typed, received, total } = transferAmounts(proforma, missingMinor);
  const days = Math.ceil((validUntil.getTime() - now.getTime()) / dayMs);
  return {
    title: text("paying.transferTo"),
    /** Null once the proforma has expired. */
    daysLeft: days < 1 ? null : text("paying.daysLeft", { days }),
    arrived: received === null ? null : text("paying.arrivedOf", { received, total }),
    amount: { label: text("paying.toTransfer"), value: due, copied: typed },
    rows: [
      { label: text("paying.accountNumber"), value: bank.number },
      { label: text("paying.ifsc"), value: bank.ifsc },
      { label: text("paying.reference"), value: facts.orderNumber ?? number },
    ],
    beneficiary: [`${text("paying.beneficiary")}: ${bank.beneficiary}`, bank.bank]
      .filter((part) => part !== null)
      .join(", "),
  };
}
