/** The page of each state of a cancellation. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Money } from "../../ui/money.tsx";
import { StepList } from "../../ui/step-list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Totals } from "../../ui/summary-list.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { ChoiceView, ConfirmView, StateView } from "./views-data.ts";

interface Answered {
  lastResult: SubmissionResult<string[]> | null;
}

const domain = (inner: string) => <Breakable>{inner}</Breakable>;
const amount = (inner: string) => <Money>{inner}</Money>;

export function CancellationChoice({ title, about, cancel, reduce, lastResult }: ChoiceView & Answered) {
  const text = useTranslate();
  const [form, fields] = useForm({ id: "reduce", lastResult, defaultValue: { seats: "1" } });
  return (
    <Sheet title={title} about={about}>
      <ErrorSummary form={form} fields={[fields.seats]} />
      <ul className="cards">
        <li className="card">
          <h2>{text("cancellation.reduce")}</h2>
          {"closed" in reduce ? (
            <p>{reduce.closed}</p>
          ) : (
            <PostForm {...getFormProps(form)}>
              <p>{text("cancellation.reduceEffect")}</p>
              <p className="hint">{reduce.until}</p>
              <Field
                field={fields.seats}
                label={text("cancellation.seats")}
                hint={reduce.hint}
                inputMode="numeric"
                autoComplete="off"
                maxLength={9}
                digits
                stepper={{ less: text("details.less"), more: text("details.more") }}
                min={1}
                max={reduce.most}
              />
              <p className="actions">
                <SubmitButton name="intent" value="count" variant="quiet">
                  {text("cancellation.seeAmount")}
                </SubmitButton>
              </p>
            </PostForm>
          )}
        </li>
        <li className="card">
          <h2>{text("cancellation.cancel")}</h2>
          {"closed" in cancel ? (
            <p>{cancel.closed}</p>
          ) : (
            <>
              <p>{text("cancellation.cancelEffect")}</p>
              <p>
                <Rich text={cancel.back} parts={{ amount }} />
              </p>
              <p className="hint">{cancel.until}</p>
              <p className="actions">
                <a className="button danger" href={cancel.href}>
                  {text("cancellation.cancel")}
                </a>
              </p>
            </>
          )}
        </li>
        <li className="card">
          <h2>{text("cancellation.atTheEnd")}</h2>
          <p>{text("cancellation.atTheEndText")}</p>
        </li>
      </ul>
      <BackToList />
    </Sheet>
  );
}

export function CancellationConfirm(props: ConfirmView & Answered) {
  const { title, about, kind, effect, lines, form: posted, backHref, lastResult } = props;
  const text = useTranslate();
  const [form] = useForm({ id: "confirm", lastResult });
  return (
    <Sheet title={title} about={about}>
      <ErrorSummary form={form} fields={[]} />
      <p>{effect}</p>
      <h2>{text("cancellation.amounts")}</h2>
      <Totals lines={lines} />
      <p className="hint">{text("cancellation.howMuch")}</p>
      <form method="post">
        <input type="hidden" name="id" value={posted.id} />
        <input type="hidden" name="give" value={posted.give} />
        <input type="hidden" name="total" value={posted.total} />
        <p className="actions">
          <SubmitButton name="intent" value="confirm" variant="danger">
            {text(kind === "cancel" ? "cancellation.cancelNow" : "cancellation.reduceNow")}
          </SubmitButton>{" "}
          <a href={backHref}>{text("cancellation.keep")}</a>
        </p>
      </form>
    </Sheet>
  );
}

export function CancellationProgress({ title, about, steps, note, hasCreditNote }: StateView) {
  const text = useTranslate();
  return (
    <Sheet title={title} about={about}>
      {note !== null && (
        <Callout type="info">
          <p>{note}</p>
        </Callout>
      )}
      <h2>{text("cancellation.whereItStands")}</h2>
      <StepList
        steps={steps.map(({ words, ...step }) => ({
          ...step,
          children: words === null ? undefined : <p className="when">{words}</p>,
        }))}
      />
      {hasCreditNote && (
        <p>
          <Rich
            text={text("cancellation.creditNotes")}
            parts={{ link: (inner) => <a href={paths.myOrders()}>{inner}</a> }}
          />
        </p>
      )}
      <BackToList />
    </Sheet>
  );
}

function Sheet({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <div className="page narrow">
      <h1>{title}</h1>
      <p className="lead">
        <Rich text={about} parts={{ domain }} />
      </p>
      {children}
    </div>
  );
}

function BackToList() {
  const text = useTranslate();
  return (
    <p>
      <a href={paths.subscriptions()}>{text("cancellation.back")}</a>
    </p>
  );
}
