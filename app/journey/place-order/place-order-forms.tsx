/** The two forms of the review page: accept the terms and place the order, or submit an order that has already been paid. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { FieldError } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

type Reply = SubmissionResult<string[]> | undefined;

export function TermsForm(props: {
  lastResult: Reply;
  terms: { text: string; href?: string }[];
  agreement: string;
  totalMinor: number;
  total: string;
}) {
  const [form, fields] = useForm<{ intent: string; terms: string; total: string }>({
    id: "review",
    lastResult: props.lastResult ?? null,
  });
  const { terms } = fields;
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="intent" value="place-order" />
      <input type="hidden" name="total" value={props.totalMinor} />
      <input type="hidden" name="agreement" value={props.agreement} />
      <ErrorSummary form={form} fields={[terms]} />
      <h2>Terms</h2>
      <ul className="terms">
        {props.terms.map(({ text, href }) => (
          <li key={text}>{href === undefined ? text : <a href={href}>{text}</a>}</li>
        ))}
      </ul>
      <FieldError field={terms} />
      <label className="choice">
        <input
          type="checkbox"
          id={terms.id}
          name={terms.name}
          aria-describedby={terms.errors === undefined ? undefined : terms.errorId}
        />
        <span>I have read and accept these terms.</span>
      </label>
      <p className="hint">
        You pay {props.total} by card on the next screen. Your order is saved, even if your connection drops.
      </p>
      <SubmitButton>Place Order</SubmitButton>
    </PostForm>
  );
}

/** Replaces Place Order when the total is below the smallest possible payment. */
export function TooSmall({ why, renewHref }: { why: string; renewHref: string | null }) {
  return (
    <>
      <Callout type="info">
        <p>{why}</p>
      </Callout>
      {renewHref !== null && (
        <p>
          <a className="button" href={renewHref}>
            Renew
          </a>
        </p>
      )}
    </>
  );
}

export function RetryForm({ lastResult, problem }: { lastResult: Reply; problem: string | null }) {
  const [form] = useForm<{ intent: string }>({ id: "retry", lastResult: lastResult ?? null });
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="intent" value="submit" />
      <ErrorSummary form={form} fields={[]} />
      <Callout type="success">
        <p>Your payment has been completed. Please click Submit to complete your order.</p>
      </Callout>
      {problem !== null && (
        <p>
          We could not match it with this order yet: {problem} Our team has been told, and nothing you paid is
          lost.
        </p>
      )}
      <p className="hint">You will not be charged again.</p>
      <SubmitButton>Submit</SubmitButton>
    </PostForm>
  );
}
