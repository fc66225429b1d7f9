/**
 * Paying with Razorpay: a plain form to the hosted checkout, which needs no script. With scripts the same button opens
 * checkout.js in the page. When that fails to load, the form is submitted automatically.
 */
import { useNavigationType, useSubmit } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import type { RazorpayCheckout } from "#server/payments/razorpay/checkout.ts";
import { Callout } from "../../../ui/callout.tsx";
import { openRazorpay, type RazorpayReturn } from "./script.ts";

/** Long enough to read the message before the redirect. */
const takeOverAfterMs = 2_000;

export function RazorpayPanel({ checkout, total }: { checkout: RazorpayCheckout; total: string }) {
  const submit = useSubmit();
  const [state, setState] = useState<"ready" | "opening" | "unavailable" | "checking">("ready");
  const hosted = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const open = useCallback(async () => {
    setState("opening");
    setProblem(null);
    const options = {
      ...checkout.options,
      handler: (paid: RazorpayReturn) => {
        setState("checking");
        submit({ intent: "paid", ...paid }, { method: "post" });
      },
      modal: { ondismiss: () => setState("ready") },
    };
    const isUp = await openRazorpay(checkout, options, (description) =>
      setProblem(description ?? "The payment was not successful."),
    );
    if (!isUp) setState("unavailable");
  }, [checkout, submit]);

  // The checkout opens automatically after Place Order. After a reload or a later return the buyer opens it.
  const justPlaced = useNavigationType() === "PUSH";
  const opensByItself = useRef(justPlaced);
  useEffect(() => {
    if (!opensByItself.current) return;
    opensByItself.current = false;
    void open();
  }, [open]);

  useEffect(() => {
    // Offline, submitting would replace this page with the browser's error page.
    if (state !== "unavailable" || !navigator.onLine) return;
    const takeOver = setTimeout(() => hosted.current?.submit(), takeOverAfterMs);
    return () => clearTimeout(takeOver);
  }, [state]);

  const pay = (event: FormEvent<HTMLFormElement>) => {
    // Once checkout.js has failed, the button submits the form, as without scripts.
    if (state === "unavailable") return;
    event.preventDefault();
    void open();
  };

  return (
    <section id="pay" aria-labelledby="pay-title">
      <h2 id="pay-title">Pay {total}</h2>
      {state === "unavailable" && (
        <Callout type="error">
          <p>Failed to load Razorpay SDK.</p>
          <p>
            Razorpay's payment page opens instead. If it does not, press Pay again. You have not been charged.
          </p>
        </Callout>
      )}
      {problem !== null && (
        <Callout type="error">
          <p>{problem} You have not been charged. You can try again.</p>
        </Callout>
      )}
      {state === "checking" && <p role="status">We are checking your payment. This takes a moment.</p>}
      <form ref={hosted} method="post" action={checkout.hostedUrl} onSubmit={pay}>
        {checkout.fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="hint">By card, on Razorpay's secure page. Your order stays open here.</p>
        <button type="submit" aria-busy={state === "opening" || state === "checking" || undefined}>
          Pay {total}
        </button>
      </form>
    </section>
  );
}
