/** Renders the payment panel of the provider that takes this order's money. */
import type { CheckoutView } from "#server/billing/payments/provider.ts";
import { RazorpayPanel } from "./razorpay/pay.tsx";

/**
 * @param props.chosen index of the checkout button that Place Order was pressed for
 * @param props.left message for a buyer who has just left the checkout; null otherwise
 * @param props.onOpen called when the checkout opens within the page
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
