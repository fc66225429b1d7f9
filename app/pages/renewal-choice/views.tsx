/** The current renewal choice, and the three choices with their prices: plain forms, each with one button. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Money } from "../../ui/money.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { ChoiceView } from "./view-data.ts";

const domain = (inner: string) => <Breakable>{inner}</Breakable>;
const amount = (inner: string) => <Money>{inner}</Money>;

export function ChoicePage(
  props: ChoiceView & { hasWayBack: boolean; lastResult: SubmissionResult<string[]> | null },
) {
  const { title, about, said, offer, hasWayBack, lastResult } = props;
  const text = useTranslate();
  const suggested = "closed" in offer || "closed" in offer.fewer ? null : offer.fewer.suggested;
  const [form, fields] = useForm<{ seats: string }>({
    id: "fewer",
    lastResult,
    defaultValue: { seats: suggested === null ? "" : String(suggested) },
  });
  return (
    <div className="page narrow">
      <h1>{title}</h1>
      <p className="lead">
        <Rich text={about} parts={{ domain }} />
      </p>
      <ErrorSummary form={form} fields={[fields.seats]} />
      {said !== null && <Said {...said} mayUndo={!("closed" in offer)} />}
      {"closed" in offer ? (
        <Callout type="info">
          <p>{offer.closed}</p>
        </Callout>
      ) : (
        <>
          <p>{offer.when}</p>
          <ul className="cards">
            <Card title={offer.keep.title} price={offer.keep.price}>
              <form method="post">
                <SubmitButton name="intent" value="keep">
                  {offer.keep.button}
                </SubmitButton>
              </form>
            </Card>
            {"closed" in offer.fewer ? (
              <Card title={text("renewals.fewer")} price={offer.fewer.closed} />
            ) : (
              <Card title={text("renewals.fewer")} price={offer.fewer.price}>
                {offer.fewer.inUse !== null && <p>{offer.fewer.inUse}.</p>}
                <form method="post" {...getFormProps(form)} noValidate>
                  <Field
                    field={fields.seats}
                    label={text("renewals.seats")}
                    hint={offer.fewer.hint}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={9}
                    digits
                  />
                  <SubmitButton name="intent" value="fewer" variant="quiet">
                    {offer.fewer.button}
                  </SubmitButton>
                </form>
              </Card>
            )}
            <Card title={text("renewals.stop")} price={offer.stop.price}>
              <form method="post">
                <SubmitButton name="intent" value="stop" variant="quiet">
                  {text("renewals.stop")}
                </SubmitButton>
              </form>
            </Card>
          </ul>
          <p className="hint">{offer.nothingYet}</p>
        </>
      )}
      {hasWayBack && (
        <p>
          <a href={paths.subscriptions()}>{text("subscriptions.title")}</a>
        </p>
      )}
    </div>
  );
}

function Said(props: NonNullable<ChoiceView["said"]> & { mayUndo: boolean }) {
  const { words, cost, renew, mayUndo } = props;
  const text = useTranslate();
  return (
    <Callout type="success">
      <p>
        {words} {cost !== null && <Rich text={cost} parts={{ amount }} />}
      </p>
      {mayUndo && (
        <form method="post" className="actions">
          {renew !== null && (
            <a className="button" href={renew}>
              {text("renewals.toRenewal")}
            </a>
          )}
          <SubmitButton name="intent" value="undo" variant="quiet">
            {text("renewals.undo")}
          </SubmitButton>
        </form>
      )}
    </Callout>
  );
}

/** @param props.price with the amount in `<amount>` */
function Card(props: { title: string; price: string | null; children?: ReactNode }) {
  const { title, price, children } = props;
  return (
    <li className="card">
      <h2>{title}</h2>
      {price !== null && (
        <p>
          <Rich text={price} parts={{ amount }} />
        </p>
      )}
      {children}
    </li>
  );
}
