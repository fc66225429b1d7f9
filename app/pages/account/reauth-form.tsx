/** A form that re-authenticates the user before it changes how to sign in. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { ReauthFields, type ReauthFieldsProps } from "./reauth-fields.tsx";

type ShownFormProps = Omit<ReauthFieldsProps, "fields"> & {
  intent: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** The submit button. */
  children: ReactNode;
};

export function ReauthForm({ intent, lastResult, children, ...shown }: ShownFormProps) {
  const [form, fields] = useForm<{ code: string; currentPassword: string }>({
    id: intent,
    lastResult: lastResult ?? null,
  });
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value={intent} />
      <ErrorSummary form={form} fields={[fields.currentPassword, fields.code]} />
      <ReauthFields fields={fields} {...shown} />
      <p className="actions">{children}</p>
    </Form>
  );
}
