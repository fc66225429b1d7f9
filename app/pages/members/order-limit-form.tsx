/** The form for the amount that a member may order without approval. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export function OrderLimitForm(props: {
  userId: string;
  /** The member's name, as in the row. */
  name: string;
  limits: { perOrder: string; perMonth: string };
  currency: string;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const { userId, name, limits, currency, lastResult } = props;
  const [form, fields] = useForm<{ member: string; perOrder: string; perMonth: string }>({
    id: `limits-${userId}`,
    lastResult,
    defaultValue: limits,
  });
  const text = useTranslate();
  const hidden = (words: string) => <span className="visually-hidden">{words}</span>;
  const isOpen = lastResult !== null || limits.perOrder !== "" || limits.perMonth !== "";
  return (
    <details open={isOpen}>
      <summary>
        <Rich text={text("rules.limits", { name })} parts={{ hidden }} />
      </summary>
      <form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.perOrder, fields.perMonth]} />
        <input type="hidden" name="member" value={userId} />
        <p className="hint">{text("rules.limitsHint")}</p>
        <Field
          field={fields.perOrder}
          label={text("rules.perOrder", { currency })}
          inputMode="numeric"
          autoComplete="off"
          required={false}
        />
        <Field
          field={fields.perMonth}
          label={text("rules.perMonth", { currency })}
          inputMode="numeric"
          autoComplete="off"
          required={false}
        />
        <SubmitButton name="intent" value="limits" variant="quiet">
          <Rich text={text("rules.saveLimits", { name })} parts={{ hidden }} />
        </SubmitButton>
      </form>
    </details>
  );
}
