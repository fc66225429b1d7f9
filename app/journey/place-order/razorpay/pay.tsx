/**
 * Paying with Razorpay: a plain form to the hosted checkout, which needs no script. With scripts the same button opens
 * checkout.js in the page. When that fails to load, the form is submitted automatically.
 */
import { useNavigate, useNavigationType, useSubmit } from "@remix-run/react";
import { type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import type { RazorpayCheckout } from "#server/billing/payments/razorpay/checkout-view.ts";
import { Callout } from "../../../ui/callout.tsx";
import { useTranslate } from "../../../ui/text.tsx";
import { openRazorpay, type RazorpayFailure, type RazorpayReturn } from "./script.ts";

/** Long enough to read the message before the redirect. */
const takeOverAfterMs = 2_000;

/** Message for a failed payment, in the server's wording. */
function whyDeclined(
  { known, other }: RazorpayCheckout["declines"],
  { reason = "", description = "" }: RazorpayFailure,
): string {
  return known.find(({ reasons }) => reasons.includes(reason))?.said ?? other ?? description;
}

export function RazorpayPanel(props: {
  checkout: RazorpayCheckout;
  chosen: number;
  left: string | null;
  onOpen: () => void;
}) {
  const { checkout, chosen, left, onOpen } = props;
  const { choices } = checkout;
  const submit = useSubmit();
  const navigate = useNavigate();
  const text = useTranslate();
  const [state, setState] = useState<"ready" | "opening" | "unavailable" | "checking">("ready");
  const hosted = useRef<HTMLFormElement>(null);
  /** The button that was pressed, or the one that opens automatically. */
  const [pressed, setPressed] = useState(chosen);
  const [problem, setProblem] = useState<string | null>(null);

  const open = useCallback(
    async (at: number) => {
      setPressed(at);
      setState("opening");
      setProblem(null);
      onOpen();
      let hasFailed = false;
      const options = {
        ...checkout.options,
        config: checkout.choices[at]?.config,
        handler: (paid: RazorpayReturn) => {
          setState("checking");
          submit({ intent: "paid", ...paid }, { method: "post" });
        },
        modal: {
          ondismiss: () => {
            setState("ready");
            // The server checks whether a payment arrived after all.
            if (!hasFailed) navigate(checkout.leftPath, { replace: true });
          },
        },
      };
      const isUp = await openRazorpay(checkout, options, (failure) => {
        hasFailed = true;
        setProblem(whyDeclined(checkout.declines, failure));
      });
      if (!isUp) setState("unavailable");
    },
    [checkout, submit, navigate, onOpen],
  );

  // The checkout opens automatically after Place Order. After a reload or a later return the buyer opens it.
  const justPlaced = useNavigationType() === "PUSH";
  const opensByItself = useRef(justPlaced);
  useEffect(() => {
    if (!opensByItself.current) return;
    opensByItself.current = false;
    void open(chosen);
  }, [open, chosen]);

  useEffect(() => {
    // Offline, submitting would replace this page with the browser's error page.
    if (state !== "unavailable" || !navigator.onLine) return;
    const takeOver = setTimeout(() => {
      hosted.current?.querySelectorAll("button")[pressed]?.click();
    }, takeOverAfterMs);
    return () => clearTimeout(takeOver);
  }, [state, pressed]);

  const press = (event: MouseEvent, at: number) => {
    // Once checkout.js has failed, the button submits the form, as without scripts.
    if (state === "unavailable") return setPressed(at);
    event.preventDefault();
    void open(at);
  };

  const isBusy = state === "opening" || state === "checking";
  return (
    <section id="pay" aria-labelledby="pay-title">
      <h2 id="pay-title">{choices[0]?.label}</h2>
      {left !== null && state === "ready" && problem === null && (
        <Callout type="due" live>
          <p>{left}</p>
        </Callout>
      )}
      {state === "unavailable" && (
        <Callout type="error">
          <p>{text("review.noCheckout")}</p>
          <p>{text("review.hostedOpens")}</p>
        </Callout>
      )}
      {problem !== null && (
        <Callout type="error">
          <p>{text("review.paymentFailed", { why: problem })}</p>
        </Callout>
      )}
      {state === "checking" && <p role="status">{text("review.checking")}</p>}
      <form ref={hosted} method="post" action={checkout.hostedUrl}>
        {checkout.fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="hint">{checkout.hint}</p>
        <p className="actions">
          {choices.map(({ method, label }, at) => (
            <button
              key={method}
              type="submit"
              name="method"
              value={method}
              onClick={(event) => press(event, at)}
              className={at === 0 ? undefined : "quiet"}
              aria-busy={(isBusy && at === pressed) || undefined}
            >
              {label}
            </button>
          ))}
        </p>
      </form>
    </section>
  );
}
