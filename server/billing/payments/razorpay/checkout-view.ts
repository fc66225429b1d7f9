/** The data with which a page opens one of the Razorpay checkouts. */
import type { DeclineTexts } from "./declines.ts";

export interface RazorpayCheckout {
  provider: "razorpay";
  scriptUrl: string;
  /** A message from one of these origins means that checkout.js has loaded. */
  frameOrigins: readonly string[];
  hostedUrl: string;
  /** The page for a buyer who closes the checkout without paying. */
  leftPath: string;
  /** The hosted form's fields, in order. The button that sends it adds its own `method`. */
  fields: [name: string, value: string][];
  choices: RazorpayChoice[];
  /** The payment methods of the first choice, as a sentence. */
  hint: string;
  options: RazorpayOptions;
  declines: DeclineTexts;
}

/** A button of the checkout. */
export interface RazorpayChoice {
  /** The value of the button in the hosted form. */
  method: string;
  /** The label of the button: "Pay ₹3,880" for the first, "Pay by UPI, net banking or wallet" for the second. */
  label: string;
  /** The payment methods that checkout.js shows. */
  config: object;
}

/** The options of checkout.js, without its browser callbacks. */
export interface RazorpayOptions {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: { name: string; email: string; contact: string };
}
