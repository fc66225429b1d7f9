/** Razorpay's checkout in the page: loaded when it is wanted, and given up when it does not come up. */
import type { RazorpayOptions } from "#server/payments/razorpay/checkout.ts";

export interface RazorpayReturn {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

export interface CheckoutOptions extends RazorpayOptions {
  handler: (paid: RazorpayReturn) => void;
  modal: { ondismiss: () => void };
}

interface RazorpayCheckout {
  open(): void;
  close(): void;
  on(event: "payment.failed", listener: (failure: { error: { description?: string } }) => void): void;
}

type RazorpayConstructor = new (options: CheckoutOptions) => RazorpayCheckout;

declare global {
  interface Window {
    Razorpay?: RazorpayConstructor;
  }
}

/** How long the checkout has to come up, from the press of the button: a line too slow for it gets the hosted page instead. */
const patienceMs = 8_000;

/**
 * Opens the checkout over the page.
 * @param frameOrigins what comes up is a frame of one of these, and says so with a message
 * @returns false when it did not come up in time: its script or another it needs did not load, or was stopped. What is left of it is
 *   closed then, and calls none of the options any more.
 */
export async function openRazorpay(
  { scriptUrl, frameOrigins }: { scriptUrl: string; frameOrigins: readonly string[] },
  options: CheckoutOptions,
  onFailed: (description: string | undefined) => void,
): Promise<boolean> {
  let isGivenUp = false;
  const unlessGivenUp =
    <Values extends unknown[]>(act: (...values: Values) => void) =>
    (...values: Values) => {
      if (!isGivenUp) act(...values);
    };
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
  const isUp = firstMessageFrom(frameOrigins);
  const Razorpay = await Promise.race([loadRazorpay(scriptUrl), late]);
  if (Razorpay === null) return false;
  const checkout = new Razorpay({
    ...options,
    handler: unlessGivenUp(options.handler),
    modal: { ondismiss: unlessGivenUp(options.modal.ondismiss) },
  });
  checkout.on(
    "payment.failed",
    unlessGivenUp(({ error }) => onFailed(error.description)),
  );
  checkout.open();
  if ((await Promise.race([isUp, late])) !== null) return true;
  isGivenUp = true;
  checkout.close();
  return false;
}

function firstMessageFrom(origins: readonly string[]): Promise<true> {
  return new Promise((resolve) => {
    window.addEventListener("message", function hear({ origin }) {
      if (!origins.includes(origin)) return;
      window.removeEventListener("message", hear);
      resolve(true);
    });
  });
}

/** Loads the script, once; null when it does not load. */
function loadRazorpay(url: string): Promise<RazorpayConstructor | null> {
  if (window.Razorpay !== undefined) return Promise.resolve(window.Razorpay);
  return new Promise((resolve) => {
    const script = document.createElement("script");
    const finish = () => resolve(window.Razorpay ?? null);
    script.src = url;
    script.onload = finish;
    script.onerror = finish;
    document.head.append(script);
  });
}
