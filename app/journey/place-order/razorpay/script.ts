/** Razorpay's in-page checkout: loaded on demand, and abandoned when it does not appear in time. */
import type { RazorpayOptions } from "#server/billing/payments/razorpay/checkout-view.ts";

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
  on(event: "payment.failed", listener: (failed: { error: RazorpayFailure }) => void): void;
}

export interface RazorpayFailure {
  reason?: string;
  description?: string;
}

type RazorpayConstructor = new (options: CheckoutOptions) => RazorpayCheckout;

declare global {
  interface Window {
    Razorpay?: RazorpayConstructor;
  }
}

/**
 * The time from the button press within which the checkout must appear. On a slower connection the buyer gets the hosted
 * page.
 */
const timeoutMs = 8_000;

/**
 * Opens the checkout over the page.
 * @param frameOrigins the checkout counts as open once a frame from one of these origins sends a message
 * @returns false on a timeout: its script or a dependency was slow, failed or was blocked. The checkout is then closed and
 *   calls none of its callbacks any more.
 */
export async function openRazorpay(
  { scriptUrl, frameOrigins }: { scriptUrl: string; frameOrigins: readonly string[] },
  options: CheckoutOptions,
  onFailed: (failure: RazorpayFailure) => void,
): Promise<boolean> {
  let isGivenUp = false;
  const unlessGivenUp =
    <Values extends unknown[]>(act: (...values: Values) => void) =>
    (...values: Values) => {
      if (!isGivenUp) act(...values);
    };
  const late = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null));
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
    unlessGivenUp(({ error }) => onFailed(error)),
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

/** Loads the script once. Null when it fails to load. */
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
