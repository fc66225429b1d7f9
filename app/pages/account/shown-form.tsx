/** A form that asks for a code, and for the password of an account that has one, before it changes how to sign in. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { CodeField } from "../../forms/code-field.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { useText } from "../../ui/text.tsx";

interface ShownFormProps {
  intent: string;
  lastResult: SubmissionResult<string[]> | undefined;
  hasPassword: boolean;
  codeHint: string;
  /** Its button. */
  children: ReactNode;
}

export function ShownForm({ intent, lastResult, hasPassword, codeHint, children }: ShownFormProps) {
  const text = useText();
  const [form, fields] = useForm<{ code: string; currentPassword: string }>({
    id: intent,
    lastResult: lastResult ?? null,
  });
  const asked = hasPassword ? [fields.currentPassword, fields.code] : [fields.code];
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value={intent} />
      <ErrorSummary form={form} fields={asked} />
      {hasPassword && (
        <Field
          field={fields.currentPassword}
          label={text("twoStep.password")}
          type="password"
          autoComplete="current-password"
        />
      )}
      <CodeField field={fields.code} hint={codeHint} />
      <p className="actions">{children}</p>
    </Form>
  );
}
