/** Step 1's form in every journey, for a new order and for editing an existing one. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import * as paths from "#server/paths.ts";
import { DomainQuestions, type TransferView } from "../../families/domain-questions.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { failureWords } from "../../forms/failure-words.ts";
import { Field, FieldError, nameLike } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Callout } from "../../ui/callout.tsx";
import { type Line, Lines } from "../../ui/lines.tsx";
import { Money } from "../../ui/money.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { StepHeading } from "../frame.tsx";
import { DestinationField, type DestinationProps } from "./destination-field.tsx";

export interface DetailsView {
  heading: string;
  /** Why the plan cannot be ordered here, which is shown in place of the form; null when it can. */
  closed: string | null;
  item: { name: string; description: string; features: string[]; seatRule: string | null };
  /** Facts about the subscription being changed, and its current licence price. */
  facts: Line[];
  /** Empty where the subscription already has its plan. */
  plans: { term: "P1Y" | "P1M"; label: string; price: string; list: string | null; note: string }[];
  /** For families sold to a domain: the console to check the domain with. Null for other families. */
  withDomain: string | null;
  transfer: TransferView;
  /** The destination question, for existing customers. */
  destination: DestinationProps | null;
  /** The add-ons available for this plan, with a link when the buyer may add one now. */
  goesWith: { name: string; description: string; price: string; href: string | null }[];
  /**
   * The value that replaces an invalid quantity (docs/specification.md, section 5). When empty, the quantity stays and the
   * server refuses it in words.
   */
  quantityFallback: "0" | "1" | "";
  /** One sentence about the next step. */
  next: string;
  chosen: {
    term: "P1Y" | "P1M";
    quantity: number;
    domain: string;
    destination: string;
    username: string;
    prefix: string;
    address: string;
  };
}

export interface DetailsFormProps extends DetailsView {
  lastResult: SubmissionResult<string[]> | undefined;
}

export function DetailsForm(props: DetailsFormProps) {
  const { heading, closed, item, facts } = props;
  return (
    <>
      <StepHeading>{heading}</StepHeading>
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
        {facts.length > 0 && <Lines lines={facts} />}
      </section>
      {closed === null ? (
        <Questions {...props} />
      ) : (
        <Callout type="info">
          <p>{closed}</p>
          <p>
            <a href={paths.home()}>See everything we sell</a>
          </p>
        </Callout>
      )}
    </>
  );
}

function Questions(props: DetailsFormProps) {
  const { lastResult, item, plans, withDomain, transfer, destination, goesWith, next, chosen } = props;
  const [form, fields] = useForm({
    id: "details",
    lastResult: lastResult ?? null,
    defaultValue: { ...chosen, quantity: String(chosen.quantity), transferToken: "", transferLater: "" },
  });
  return (
    <PostForm {...getFormProps(form)} data-when-unsent={failureWords.orderDetails}>
      <ErrorSummary
        form={form}
        fields={[
          fields.domain,
          fields.transferToken,
          fields.destination,
          fields.username,
          fields.prefix,
          fields.address,
          fields.term,
          fields.quantity,
        ]}
      />
      {destination !== null && <DestinationField {...destination} fields={fields} chosen={chosen} />}
      {withDomain !== null && (
        <>
          <Field
            field={fields.domain}
            label="Domain"
            hint="The domain of your email addresses, such as yourcompany.com"
            {...nameLike}
            inputMode="url"
            maxLength={253}
          />
          <p className="hint" role="status" data-domain-check={fields.domain.id} data-console={withDomain} />
          <DomainQuestions {...transfer} fields={fields} />
        </>
      )}
      {plans.length > 0 && (
        <fieldset
          className="field"
          id={fields.term.id}
          tabIndex={-1}
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
                <strong>{plan.label}</strong> - <Money>{plan.price}</Money>{" "}
                {plan.list !== null && (
                  <s>
                    <Money>{plan.list}</Money>
                  </s>
                )}
                <span className="hint">{plan.note}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Field
        field={fields.quantity}
        label="Quantity"
        inputMode="numeric"
        digits={props.quantityFallback}
        autoComplete="off"
        maxLength={9}
        hint={item.seatRule ?? "One licence for each person who will use it."}
      />
      {goesWith.map((addOn) => (
        <aside key={addOn.name} className="card" aria-label={`Goes with this plan: ${addOn.name}`}>
          <p>
            <strong>Goes with this plan: {addOn.name}</strong>, from <Money>{addOn.price}</Money>
          </p>
          <p className="hint">{addOn.description}</p>
          {addOn.href === null ? (
            <p className="hint">You can add it as soon as this plan is yours.</p>
          ) : (
            <p>
              <a href={addOn.href}>Add it to a subscription you have</a>
            </p>
          )}
        </aside>
      ))}
      <p className="hint">{next}</p>
      <SubmitButton>Next</SubmitButton>
    </PostForm>
  );
}
