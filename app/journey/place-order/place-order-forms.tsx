/** The two forms of the review page: accept the terms and place the order, or submit an order that has already been paid. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Icon } from "../../ui/icons.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { FoldedReferenceFields, type ReferenceTexts } from "../references-fields.tsx";
import { AcceptBox, type Term, TermsList } from "../terms-field.tsx";
import type { LeavingIntent } from "./review-schema.ts";

type Reply = SubmissionResult<string[]> | undefined;

export function TermsForm(props: {
  lastResult: Reply;
  terms: Term[];
  agreement: string;
  totalMinor: number;
  total: string;
  /** Payment method of the first button, as a sentence. */
  payNext: string;
  /** Label of the button for the checkout's other methods; null where there are none. */
  otherwise: string | null;
  references: { given: ReferenceTexts; longest: Record<keyof ReferenceTexts, number> };
  /** Alternatives that submit the references too. */
  leaving: LeavingButton[];
  /** The bill, above the button. */
  children: ReactNode;
  /** Notes on the bill, below the buttons. */
  notes: ReactNode;
}) {
  const [form, fields] = useForm<{ intent: string; terms: string; total: string } & ReferenceTexts>({
    id: "review",
    lastResult: props.lastResult ?? null,
    defaultValue: props.references.given,
  });
  const { terms, purchaseOrder, costCentre, note } = fields;
  const text = useTranslate();
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="total" value={props.totalMinor} />
      <input type="hidden" name="agreement" value={props.agreement} />
      {/* Problems of the whole order are shown above the bill (route.tsx). */}
      <ErrorSummary form={{ errorId: form.errorId }} fields={[purchaseOrder, costCentre, note, terms]} />
      <FoldedReferenceFields
        fields={{ purchaseOrder, costCentre, note }}
        longest={props.references.longest}
      />
      <h2>{text("review.terms")}</h2>
      <TermsList terms={props.terms} />
      <div className="checkout">
        {props.children}
        <div className="bar">
          {/* A changed total unticks the box. */}
          <AcceptBox key={props.totalMinor} field={terms} />
          <SubmitButton variant="wide" name="intent" value="place-order">
            <Icon name="lock" size={20} /> <span>{text("review.placeOrder", { total: props.total })}</span>
          </SubmitButton>
        </div>
        {props.otherwise !== null && (
          <p className="otherwise">
            <SubmitButton variant="quiet" name="intent" value="pay-otherwise">
              {props.otherwise}
            </SubmitButton>
          </p>
        )}
        <p className="hint way-to-pay">
          <Icon name="card" size={20} /> <span>{props.payNext}</span>
        </p>
        {props.leaving.length > 0 && (
          <p className="actions">
            {props.leaving.map(({ intent, label }) => (
              <SubmitButton key={intent} variant="quiet" name="intent" value={intent}>
                {label}
              </SubmitButton>
            ))}
          </p>
        )}
        <div>{props.notes}</div>
      </div>
    </PostForm>
  );
}

/** An alternative that is a button of the form above, because a link would lose the typed input. */
export interface LeavingButton {
  intent: LeavingIntent;
  label: string;
}

/** An alternative to Place Order: next to it, or with the reason that replaces it. */
export interface AlternativeLink {
  label: string;
  href: string;
  /** Intent with which the references form leads to the same page; left out where it is always a link. */
  intent?: LeavingIntent;
}

/** Replaces Place Order when the total cannot be paid in the checkout, or precedes it where the checkout might not work. */
export function AlternativePayment({ why, way }: { why: string; way: AlternativeLink | null }) {
  return (
    <>
      <Callout type="info">
        <p>{why}</p>
      </Callout>
      {way !== null && (
        <p>
          <a className="button" href={way.href}>
            {way.label}
          </a>
        </p>
      )}
    </>
  );
}

/** Opens the order's quote, or creates one. Not a React form, because it leaves the steps of the order. */
export function QuoteLink({ open, make }: { open: AlternativeLink | null; make?: AlternativeLink }) {
  if (open !== null)
    return (
      <a className="button quiet" href={open.href}>
        {open.label}
      </a>
    );
  return (
    <form method="post" action={make?.href}>
      <SubmitButton variant="quiet">{make?.label}</SubmitButton>
    </form>
  );
}

/** Replaces Place Order while the company's rules require an approval: the created quote has the form that requests it. */
export function NeedsApproval({ why, ask }: { why: string; ask: AlternativeLink }) {
  return (
    <>
      <Callout type="info">
        <p>{why}</p>
      </Callout>
      <form method="post" action={ask.href}>
        <SubmitButton>{ask.label}</SubmitButton>
      </form>
    </>
  );
}

export function RetryForm({ lastResult, problem }: { lastResult: Reply; problem: string | null }) {
  const [form] = useForm<{ intent: string }>({ id: "retry", lastResult: lastResult ?? null });
  const text = useTranslate();
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="intent" value="submit" />
      <ErrorSummary form={form} fields={[]} />
      <Callout type="success">
        <p>{text("review.completed")}</p>
      </Callout>
      {problem !== null && <p>{text("review.unmatched", { problem })}</p>}
      <p className="hint">{text("review.notAgain")}</p>
      <SubmitButton>{text("review.submit")}</SubmitButton>
    </PostForm>
  );
}
