/**
 * Paying: a plain form to the hosted checkout, which needs no script. With scripts the same button opens checkout.js in
 * the page; when that cannot load, the form is still there.
 */
import { useNavigationType, useSubmit } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Callout } from "../ui/callout.tsx";
import type { CheckoutView } from "./checkout-data.ts";
import { loadRazorpay } from "./razorpay-script.ts";

export function PayPanel({ checkout, total }: { checkout: CheckoutView; total: string }) {
  const submit = useSubmit();
  const [state, setState] = useState<"ready" | "opening" | "unavailable" | "checking">("ready");
  const [problem, setProblem] = useState<string | null>(null);

  const open = useCallback(async () => {
    setState("opening");
    setProblem(null);
    const Razorpay = await loadRazorpay(checkout.scriptUrl);
    if (Razorpay === null) {
      setState("unavailable");
      return;
    }
    const opened = new Razorpay({
      ...checkout.options,
      config: {
        display: {
          blocks: { card: { name: "Pay by card", instruments: [{ method: "card" }] } },
          sequence: ["block.card"],
          preferences: { show_default_blocks: false },
        },
      },
      handler: (paid) => {
        setState("checking");
        submit({ intent: "paid", ...paid }, { method: "post" });
      },
      modal: { ondismiss: () => setState("ready") },
    });
    opened.on("payment.failed", ({ error }) =>
      setProblem(error.description ?? "The payment was not successful."),
    );
    opened.open();
  }, [checkout, submit]);

  // Place Order opens the checkout (SPEC section 4); a reload, or coming back later, leaves it to the buyer.
  const justPlaced = useNavigationType() === "PUSH";
  const opensByItself = useRef(justPlaced);
  useEffect(() => {
    if (!opensByItself.current) return;
    opensByItself.current = false;
    void open();
  }, [open]);

  const pay = (event: FormEvent<HTMLFormElement>) => {
    // Once checkout.js has failed, the button does what it does without scripts.
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
          <p>Press Pay again to use the payment page instead. You have not been charged.</p>
        </Callout>
      )}
      {problem !== null && (
        <Callout type="error">
          <p>{problem} You have not been charged. You can try again.</p>
        </Callout>
      )}
      {state === "checking" && <p role="status">We are checking your payment. This takes a moment.</p>}
      <form method="post" action={checkout.hostedUrl} onSubmit={pay}>
        {checkout.fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="hint">By card, on Razorpay's secure page. Your order waits for you here.</p>
        <button type="submit" aria-busy={state === "opening" || state === "checking" || undefined}>
          Pay {total}
        </button>
      </form>
    </section>
  );
}
