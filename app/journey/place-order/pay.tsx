/** Renders the payment panel of the provider that takes this order's money. */
import type { CheckoutView } from "#server/billing/payments/provider.ts";
import { RazorpayPanel } from "./razorpay/pay.tsx";

/**
 * @param props.chosen which of the checkout's buttons Place Order was pressed for
 * @param props.left what to say when the buyer has just left the checkout; null when they have not
 * @param props.onOpen called when the buyer is led to the checkout within the page
 */
export function PayPanel(props: {
  checkout: CheckoutView;
  chosen: number;
  left: string | null;
  onOpen: () => void;
}): JSX.Element {
  switch (props.checkout.provider) {
    case "razorpay":
      return <RazorpayPanel {...props} />;
  }
}
