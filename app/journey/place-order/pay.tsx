/** Renders the payment panel of the provider that takes this order's money. */
import type { CheckoutView } from "#server/payments/provider.ts";
import { RazorpayPanel } from "./razorpay/pay.tsx";

export function PayPanel({ checkout, total }: { checkout: CheckoutView; total: string }): JSX.Element {
  switch (checkout.provider) {
    case "razorpay":
      return <RazorpayPanel checkout={checkout} total={total} />;
  }
}
