/** Loads the payment provider's checkout script, once, and says null when it does not come. */
export interface RazorpayReturn {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

export interface RazorpayOptions {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: { name: string; email: string; contact: string };
  config: object;
  handler: (paid: RazorpayReturn) => void;
  modal: { ondismiss: () => void };
}

interface RazorpayCheckout {
  open(): void;
  on(event: "payment.failed", listener: (failure: { error: { description?: string } }) => void): void;
}

type RazorpayConstructor = new (options: RazorpayOptions) => RazorpayCheckout;

declare global {
  interface Window {
    Razorpay?: RazorpayConstructor;
  }
}

/** A line too slow for this gets the hosted page instead. */
const patienceMs = 15_000;

export function loadRazorpay(url: string): Promise<RazorpayConstructor | null> {
  if (window.Razorpay !== undefined) return Promise.resolve(window.Razorpay);
  return new Promise((resolve) => {
    const script = document.createElement("script");
    const finish = () => resolve(window.Razorpay ?? null);
    script.src = url;
    script.onload = finish;
    script.onerror = finish;
    setTimeout(finish, patienceMs);
    document.head.append(script);
  });
}
