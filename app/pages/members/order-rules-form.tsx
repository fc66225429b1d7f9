/** The company's rules for its orders: all members see them, an owner sets them. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export function OrderRulesForm(props: {
  /** The current rule as text. */
  says: string;
  /** Threshold in major units as typed; empty without a rule. */
  approvalAbove: string;
  includesOwners: boolean;
  currency: string;
  mayChange: boolean;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const { says, approvalAbove, includesOwners, currency, mayChange, lastResult } = props;
  const [form, fields] = useForm<{ approvalAbove: string; includesOwners: string }>({
    id: "rules",
    lastResult,
    defaultValue: { approvalAbove },
  });
  const text = useTranslate();
  return (
    <section className="narrow-form" aria-labelledby="rules-title">
      <h2 id="rules-title">{text("rules.title")}</h2>
      <p>{says}</p>
      {mayChange && (
        <form method="post" {...getFormProps(form)} noValidate>
          <ErrorSummary form={form} fields={[fields.approvalAbove]} />
          <p className="hint">{text("rules.intro")}</p>
          <Field
            field={fields.approvalAbove}
            label={text("rules.approvalAbove", { currency })}
            hint={text("rules.approvalAboveHint")}
            inputMode="numeric"
            autoComplete="off"
            required={false}
          />
          <label className="choice">
            <input type="checkbox" name={fields.includesOwners.name} defaultChecked={includesOwners} />
            <span>{text("rules.includesOwners")}</span>
          </label>
          <SubmitButton name="intent" value="rules">
            {text("rules.save")}
          </SubmitButton>
        </form>
      )}
    </section>
  );
}
