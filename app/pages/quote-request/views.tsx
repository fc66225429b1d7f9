/** The actions of an approver and a payer, as plain forms. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { PayPagePart } from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { TextAreaField } from "../../forms/text-area-field.tsx";
import { Callout } from "../../ui/callout.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { SummaryList } from "../../ui/summary-list.tsx";
import { useTranslate } from "../../ui/text.tsx";
import type { RequestView } from "./view-data.ts";

interface Acting {
  /** Hash of the shown version. */
  hash: string;
  lastResult: SubmissionResult<string[]> | null;
}

export function ClosedRequest({ says, isAnswered }: { says: string[]; isAnswered: boolean }) {
  return (
    <Callout type={isAnswered ? "success" : "info"}>
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
  );
}

export function ApproveForms({ hash, lastResult }: Acting) {
  const [form, fields] = useForm<{ hash: string; words: string }>({ id: "answer", lastResult });
  const text = useTranslate();
  return (
    <div className="in-row answers">
      <form method="post">
        <input type="hidden" name="hash" value={hash} />
        <SubmitButton name="intent" value="approved">
          {text("quotes.approve")}
        </SubmitButton>
      </form>
      <details open={lastResult !== null}>
        <summary className="button quiet">{text("quotes.refuse")}</summary>
        <form method="post" {...getFormProps(form)} noValidate>
          <ErrorSummary form={form} fields={[fields.words]} />
          <input type="hidden" name="hash" value={hash} />
          <TextAreaField field={fields.words} label={text("quotes.words")} rows={2} maxLength={300} />
          <SubmitButton name="intent" value="refused">
            {text("quotes.refuseNow")}
          </SubmitButton>
        </form>
      </details>
    </div>
  );
}

export function PayForms({
  hash,
  lastResult,
  total,
  checkout,
  payInCheckout,
  mayTransfer,
  account,
  partIn,
  said,
}: Acting & NonNullable<RequestView["pay"]>) {
  const [form] = useForm({ id: "pay", lastResult });
  const text = useTranslate();
  const isPayable = checkout !== null || payInCheckout !== null || mayTransfer || account !== null;
  return (
    <>
      {checkout !== null && (
        <form method="post" action={checkout.url} id={"checkout" satisfies PayPagePart}>
          {checkout.fields.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <p className="hint">{text("quotes.checkoutNext")}</p>
          <p className="actions">
            {checkout.choices.map(({ method, label }, at) => (
              <SubmitButton key={method} name="method" value={method} {...(at > 0 && { variant: "quiet" })}>
                {at === 0 ? text("quotes.goToCheckout", { total }) : label}
              </SubmitButton>
            ))}
          </p>
        </form>
      )}
      {account !== null && (
        <>
          <h2 id={"account" satisfies PayPagePart}>{text("quotes.payByTransfer")}</h2>
          {partIn !== null && (
            <Callout type="due">
              <p>{partIn}</p>
            </Callout>
          )}
          {account.length === 0 && <p>{text("quotes.accountComing")}</p>}
          {account.length > 0 && partIn === null && <p>{text("quotes.transferTo", { total })}</p>}
          <SummaryList lines={account} />
        </>
      )}
      {said !== null && (
        <div id={"said" satisfies PayPagePart}>
          <Callout type="success">
            <p>{said}</p>
          </Callout>
        </div>
      )}
      {!isPayable && <p>{text("quotes.noWayToPay")}</p>}
      <form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[]} />
        <input type="hidden" name="hash" value={hash} />
        {account !== null && said === null && (
          <>
            <SubmitButton name="intent" value="transferred">
              {text("quotes.iTransferred")}
            </SubmitButton>
            <p className="hint">{text("quotes.transferredHint")}</p>
          </>
        )}
        <p className="actions">
          {payInCheckout !== null && (
            <SubmitButton name="intent" value="checkout" {...(account !== null && { variant: "quiet" })}>
              {payInCheckout}
            </SubmitButton>
          )}{" "}
          {mayTransfer && (
            <SubmitButton name="intent" value="transfer" variant="quiet">
              {text("quotes.payByTransfer")}
            </SubmitButton>
          )}
        </p>
      </form>
    </>
  );
}
