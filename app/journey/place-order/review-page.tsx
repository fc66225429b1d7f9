/** The review page: the order, its bill, and the action that its state allows. */
import type { SubmissionResult } from "@conform-to/react";
import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Callout } from "../../ui/callout.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { StepHeading } from "../frame.tsx";
import { BillNotes, Review, ReviewBill } from "../review.tsx";
import { PayPanel } from "./pay.tsx";
import { AlternativePayment, NeedsApproval, QuoteLink, RetryForm, TermsForm } from "./place-order-forms.tsx";
import type { ReviewView } from "./view.ts";

type Reply = SubmissionResult<string[]> | undefined;

export function ReviewPage({ lastResult: result, ...data }: ReviewView & { lastResult: Reply }) {
  const text = useTranslate();
  const { key } = useLocation();
  /** The visit to this page on which the checkout was opened. */
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const bill = (
    <>
      <ReviewBill {...data.review} />
      {data.before !== null && <AlternativePayment {...data.before} />}
      {data.awaited !== null && (
        <Callout type="due">
          <p>{data.awaited}</p>
        </Callout>
      )}
    </>
  );
  const notes = <BillNotes {...data.review} />;
  return (
    <>
      <StepHeading>{text("review.title")}</StepHeading>
      {data.confirm !== null && (
        <Callout type="info">
          <p>
            <span>{`${text("review.confirm", { domain: data.confirm.domain })} `}</span>
            {data.confirm.requestedEmail !== null && (
              <span>{`${text("review.confirmAsked", { email: data.confirm.requestedEmail })} `}</span>
            )}
            <a href={data.confirm.href}>
              {text(data.confirm.requestedEmail === null ? "review.confirmNow" : "review.confirmAgain")}
            </a>
          </p>
        </Callout>
      )}
      {data.priceChanged && (
        <Callout type="info">
          <p>{text("review.priceChanged")}</p>
        </Callout>
      )}
      {data.failure !== null && openedOn !== key && (
        <Callout type="error">
          <p>{text("review.paymentFailed", { why: data.failure })}</p>
        </Callout>
      )}
      {!data.paid && result?.error?.[""] && (
        <ErrorSummary form={{ errors: result.error[""], errorId: "payment-error" }} fields={[]} />
      )}
      <Review {...data.review} />
      {data.isAsking ? (
        <TermsForm lastResult={result} {...data} notes={notes}>
          {bill}
        </TermsForm>
      ) : (
        <div className="checkout">
          {bill}
          <WayOn
            data={data}
            result={result}
            onOpen={() => {
              setOpenedOn(key);
              // A reload must not show it again.
              history.replaceState(history.state, "", location.pathname);
            }}
          />
          {notes}
        </div>
      )}
    </>
  );
}

/** Replaces the terms and Place Order: a payment that was begun, or the reason for not paying here, with the alternatives. */
function WayOn({ data, result, onOpen }: { data: ReviewView; result: Reply; onOpen: () => void }) {
  return (
    <>
      {data.paid ? (
        <RetryForm lastResult={result} problem={data.problem} />
      ) : data.needsYes !== null ? (
        <NeedsApproval {...data.needsYes} />
      ) : data.instead !== null ? (
        <AlternativePayment {...data.instead} />
      ) : (
        data.checkout !== null && <PayPanel {...data} checkout={data.checkout} onOpen={onOpen} />
      )}
      {data.changeReferences !== null && (
        <p>
          <a href={data.changeReferences.href}>{data.changeReferences.label}</a>
        </p>
      )}
      <div className="actions">
        {!data.paid && data.otherWay !== null && data.otherWay.label !== data.before?.way.label && (
          <a className="button quiet" href={data.otherWay.href}>
            {data.otherWay.label}
          </a>
        )}
        {data.quote !== null && data.needsYes === null && <QuoteLink {...data.quote} />}
      </div>
    </>
  );
}
