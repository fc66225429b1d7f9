/** Forms that send a quote to an approver and to a payer, with their answers. */
import { type FieldMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { TextAreaField } from "../../forms/text-area-field.tsx";
import { type Term, TermsField } from "../../journey/terms-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export interface SendFormsView {
  terms: Term[];
  agreement: string;
}

export function SendForms({ terms, agreement, result }: SendFormsView & { result: Result }) {
  const text = useTranslate();
  const isPayer = result?.initialValue?.intent === "pay";
  return (
    <>
      <details name="send" open={result !== null && !isPayer}>
        <summary className="button quiet">{text("quotes.approveTitle")}</summary>
        <ApproverForm lastResult={isPayer ? null : result} />
      </details>
      <details name="send" open={isPayer}>
        <summary className="button quiet">{text("quotes.payTitle")}</summary>
        <PayerForm lastResult={isPayer ? result : null} terms={terms} agreement={agreement} />
      </details>
    </>
  );
}

type Result = SubmissionResult<string[]> | null;

function ApproverForm({ lastResult }: { lastResult: Result }) {
  const [form, fields] = useForm<{ email: string; why: string }>({ id: "approver", lastResult });
  const text = useTranslate();
  return (
    <form method="post" {...getFormProps(form)} noValidate className="narrow-form">
      <p className="hint">{text("quotes.sendHint")}</p>
      <ErrorSummary form={form} fields={[fields.email, fields.why]} />
      <ReaderFields email={fields.email} why={fields.why} label={text("quotes.approver")} />
      <SubmitButton name="intent" value="approve">
        {text("quotes.sendToApprover")}
      </SubmitButton>
    </form>
  );
}

function PayerForm({
  lastResult,
  terms,
  agreement,
}: Pick<SendFormsView, "terms" | "agreement"> & { lastResult: Result }) {
  const [form, fields] = useForm<{ email: string; why: string; terms: string }>({ id: "payer", lastResult });
  const text = useTranslate();
  return (
    <form method="post" {...getFormProps(form)} noValidate className="narrow-form">
      <p className="hint">{text("quotes.sendHint")}</p>
      <ErrorSummary form={form} fields={[fields.email, fields.why, fields.terms]} />
      <input type="hidden" name="agreement" value={agreement} />
      <ReaderFields email={fields.email} why={fields.why} label={text("quotes.payer")} />
      <TermsField field={fields.terms} terms={terms} />
      <SubmitButton name="intent" value="pay" variant="quiet">
        {text("quotes.sendToPayer")}
      </SubmitButton>
    </form>
  );
}

/** Fields for the recipient and a message. */
function ReaderFields({
  email,
  why,
  label,
}: {
  email: FieldMetadata<string>;
  why: FieldMetadata<string>;
  label: string;
}) {
  const text = useTranslate();
  return (
    <>
      <Field field={email} label={label} type="email" inputMode="email" autoComplete="off" />
      <TextAreaField
        field={why}
        label={text("quotes.why")}
        hint={text("quotes.whyHint")}
        rows={2}
        maxLength={300}
        required={false}
      />
    </>
  );
}
