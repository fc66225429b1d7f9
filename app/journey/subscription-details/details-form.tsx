/** Step 1's form in every journey, for a new order and for editing an existing one. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import * as paths from "#server/foundation/paths.ts";
import { DomainQuestions, type TransferView } from "../../families/domain-questions.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError, nameLike } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Money } from "../../ui/money.tsx";
import { PriceSummary } from "../../ui/price-summary.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { SummaryList, type SummaryRow } from "../../ui/summary-list.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { StepBar, StepHeading } from "../frame.tsx";
import { DestinationField, type DestinationProps } from "./destination-field.tsx";
import { LiveTotal, UpdateTotal } from "./live-total.tsx";
import type { TotalView } from "./total-view.ts";

interface PlanView {
  term: "P1Y" | "P1M";
  label: string;
  /** Price per person and month, at the price that applies. */
  perMonth: string;
  /** Amount charged per person, and how often. */
  price: string;
  list: string | null;
  note: string;
  /** Saving against the other plan: "Saves 16%", and as an amount. */
  saving: { percent: string; amount: string } | null;
}

export interface DetailsView {
  heading: string;
  /** Why the plan cannot be ordered here, shown instead of the form; null when it can. */
  closed: string | null;
  item: { name: string; description: string; features: string[]; seatRule: string | null };
  /** Facts about the subscription being changed, and its current licence price. */
  facts: SummaryRow[];
  /** Empty where the subscription already has its plan. */
  plans: PlanView[];
  /** The same plans for a domain that the family already knows, where a new domain costs less; else empty. */
  plansOfKnownDomain: PlanView[];
  /** Null where the plan is closed. */
  total: TotalView | null;
  /** The console in which to check the domain, for families sold to a domain. Null for other families. */
  withDomain: string | null;
  transfer: TransferView;
  /** The destination question, for existing customers. */
  destination: DestinationProps | null;
  /** The add-ons available for this plan, with a link when the buyer may add one now. */
  goesWith: { name: string; description: string; price: string; href: string | null }[];
  /**
   * The value that replaces an invalid quantity (docs/specification.md, section 5). When empty, the quantity stays and the server
   * refuses it with an error.
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
  const text = useTranslate();
  return (
    <>
      <StepHeading>{heading}</StepHeading>
      <section className="card" aria-labelledby="plan-name">
        <h2 id="plan-name">{item.name}</h2>
        <p>{item.description}</p>
        <details>
          <summary>{text("details.included")}</summary>
          <ul>
            {item.features.map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
        </details>
        {facts.length > 0 && <SummaryList lines={facts} />}
      </section>
      {closed === null && props.total !== null ? (
        <Questions {...props} total={props.total} />
      ) : (
        <Callout type="info">
          <p>{closed}</p>
          <p>
            <a href={paths.home()}>{text("details.seeAll")}</a>
          </p>
        </Callout>
      )}
    </>
  );
}

function Questions(props: DetailsFormProps & { total: TotalView }) {
  const text = useTranslate();
  const knownPlans = props.plansOfKnownDomain;
  const { lastResult, item, plans, total, withDomain, transfer, destination, goesWith, next, chosen } = props;
  const [form, fields] = useForm({
    id: "details",
    lastResult: lastResult ?? null,
    defaultValue: { ...chosen, quantity: String(chosen.quantity), transferToken: "", transferLater: "" },
  });
  const typed = {
    term: fields.term.initialValue ?? chosen.term,
    quantity: fields.quantity.initialValue ?? String(chosen.quantity),
    address: fields.address.initialValue ?? chosen.address,
  };
  return (
    <PostForm
      {...getFormProps(form)}
      data-when-unsent={text("forms.kept", { said: text("details.failed", { error: "{error}" }) })}
    >
      {/* Enter presses a form's first button: this one, not the one that updates the total. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden />
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
            label={text("details.domain")}
            hint={text("details.domainHint")}
            {...nameLike}
            inputMode="url"
            maxLength={253}
          />
          <p
            className="hint"
            role="status"
            data-domain-check={fields.domain.id}
            data-console={withDomain}
            data-wrong={text("signIn.notADomain")}
            data-available={text("signIn.domainAvailable")}
            data-taken={text("signIn.domainTaken")}
            data-transferable={text("signIn.domainTransferable")}
            data-unknown={text("signIn.domainNotChecked")}
          />
          <DomainQuestions {...transfer} fields={fields} />
        </>
      )}
      <LiveTotal figures={total} typed={typed}>
        {(said, isKnownDomain) => (
          <>
            {plans.length > 0 && (
              <fieldset
                className="field"
                id={fields.term.id}
                tabIndex={-1}
                aria-describedby={fields.term.errors === undefined ? undefined : fields.term.errorId}
              >
                <legend>{text("details.commitment")}</legend>
                <FieldError field={fields.term} />
                <div className="choices">
                  {(isKnownDomain && knownPlans.length > 0 ? knownPlans : plans).map((plan) => (
                    <PlanChoice
                      key={plan.term}
                      plan={plan}
                      name={fields.term.name}
                      isChosen={typed.term === plan.term}
                    />
                  ))}
                </div>
              </fieldset>
            )}
            <Field
              field={fields.quantity}
              label={text("details.quantity")}
              inputMode="numeric"
              digits={props.quantityFallback}
              stepper={{ less: text("details.less"), more: text("details.more") }}
              min={1}
              max={total.most ?? undefined}
              autoComplete="off"
              maxLength={9}
              hint={item.seatRule ?? text("details.quantityHint")}
            />
            {goesWith.map((addOn) => (
              <aside
                key={addOn.name}
                className="card"
                aria-label={text("details.goesWith", { name: addOn.name })}
              >
                <p>
                  <Rich
                    text={text("details.goesWithFrom", { name: addOn.name, price: addOn.price })}
                    parts={{
                      name: (inner) => <strong>{inner}</strong>,
                      price: (inner) => <Money>{inner}</Money>,
                    }}
                  />
                </p>
                <p className="hint">{addOn.description}</p>
                {addOn.href === null ? (
                  <p className="hint">{text("details.addLater")}</p>
                ) : (
                  <p>
                    <a href={addOn.href}>{text("details.addNow")}</a>
                  </p>
                )}
              </aside>
            ))}
            <div className="checkout">
              <PriceSummary
                label={text("review.bill")}
                top={
                  <p className="total-said">
                    <output>{said?.sentence}</output> <UpdateTotal />
                  </p>
                }
                lines={[]}
                total={{
                  label: text("journey.total"),
                  value: said?.total ?? "–",
                  before: said?.before ?? null,
                }}
              />
              <p className="hint">{next}</p>
              <StepBar total={said?.total ?? null}>
                <SubmitButton>{text("forms.next")}</SubmitButton>
              </StepBar>
            </div>
          </>
        )}
      </LiveTotal>
    </PostForm>
  );
}

function PlanChoice({ plan, name, isChosen }: { plan: PlanView; name: string; isChosen: boolean }) {
  const text = useTranslate();
  return (
    <label className="choice">
      <input type="radio" name={name} value={plan.term} defaultChecked={isChosen} />
      <span>
        <span className="card-head">
          <strong>{plan.label}</strong>
          {plan.saving !== null && <span className="badge good">{plan.saving.percent}</span>}
        </span>
        <span>
          <Rich
            text={text("details.perMonth", { price: plan.perMonth })}
            parts={{ figure: (inner) => <span className="figure">{inner}</span> }}
          />
        </span>
        <span>
          <Money>{plan.price}</Money>
          {plan.list !== null && (
            <span>
              {" "}
              <s>
                <Money>{plan.list}</Money>
              </s>
            </span>
          )}
        </span>
        <span className="hint">{plan.note}</span>
        {plan.saving !== null && <span className="hint">{plan.saving.amount}</span>}
      </span>
    </label>
  );
}
