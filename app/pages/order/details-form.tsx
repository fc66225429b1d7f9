/** Step 1's form, for a new order and for one whose details are posted again. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError } from "../../forms/field.tsx";
import { PendingButton } from "../../ui/pending-button.tsx";

export interface DetailsFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  heading: string;
  item: { name: string; description: string; features: string[]; seatRule: string | null };
  plans: { term: "P1Y" | "P1M"; label: string; price: string; list: string | null; note: string }[];
  /** Google only: its domain field, and the console whose catalogue is asked. */
  withDomain: "IP" | "UP" | null;
  chosen: { term: "P1Y" | "P1M"; quantity: number; domain: string };
}

export function DetailsForm({ lastResult, heading, item, plans, withDomain, chosen }: DetailsFormProps) {
  const [form, fields] = useForm({
    id: "details",
    lastResult: lastResult ?? null,
    defaultValue: { term: chosen.term, quantity: String(chosen.quantity), domain: chosen.domain },
  });
  return (
    <>
      <h1>{heading}</h1>
      <section className="card" aria-labelledby="plan-name">
        <h2 id="plan-name">{item.name}</h2>
        <p>{item.description}</p>
        <details>
          <summary>What is included</summary>
          <ul>
            {item.features.map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
        </details>
      </section>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.domain, fields.term, fields.quantity]} />
        {withDomain !== null && (
          <>
            <Field
              field={fields.domain}
              label="Domain"
              hint="The domain your people's addresses end with, such as yourcompany.com"
              autoComplete="off"
              inputMode="url"
              maxLength={253}
            />
            <p
              className="hint"
              role="status"
              data-domain-check={fields.domain.id}
              data-console={withDomain}
            />
          </>
        )}
        <fieldset
          className="field"
          aria-describedby={fields.term.errors === undefined ? undefined : fields.term.errorId}
        >
          <legend>Commitment and billing</legend>
          <FieldError field={fields.term} />
          {plans.map((plan) => (
            <label key={plan.term} className="choice">
              <input
                type="radio"
                name={fields.term.name}
                value={plan.term}
                defaultChecked={(fields.term.initialValue ?? chosen.term) === plan.term}
              />
              <span>
                <strong>{plan.label}</strong> - <span className="money">{plan.price}</span>{" "}
                {plan.list !== null && <s className="money">{plan.list}</s>}
                <span className="hint">{plan.note}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          field={fields.quantity}
          label="Quantity"
          inputMode="numeric"
          digits="1"
          autoComplete="off"
          maxLength={9}
          hint={item.seatRule ?? "One licence for each person who will use it."}
        />
        <p className="hint">Next you tell us who the order is for. You pay at the third step.</p>
        <PendingButton>Next</PendingButton>
      </Form>
    </>
  );
}
