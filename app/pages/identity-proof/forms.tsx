/** The three forms of the proof: request a code, enter it, or enter the account's password. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

interface FormPart {
  lastResult: SubmissionResult<string[]> | undefined;
}

export function MailCodeForm({
  lastResult,
  email,
  button,
  quiet = false,
}: FormPart & { email: string; button: string; quiet?: boolean }) {
  const [form, fields] = useForm<{ intent: string; email: string }>({
    id: "mail-code",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "mail-code", email },
  });
  const text = useTranslate();
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value="mail-code" />
      <ErrorSummary form={form} fields={[fields.email]} />
      <Field
        field={fields.email}
        label={text("access.email")}
        type="email"
        autoComplete="email"
        inputMode="email"
      />
      <SubmitButton {...(quiet && { variant: "quiet" })}>{button}</SubmitButton>
    </Form>
  );
}

export function CodeForm({ lastResult }: FormPart) {
  const [form, fields] = useForm<{ intent: string; code: string }>({
    id: "code",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "code" },
  });
  const text = useTranslate();
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value="code" />
      <ErrorSummary form={form} fields={[fields.code]} />
      <Field
        field={fields.code}
        label={text("access.code")}
        hint={text("access.codeHint")}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={9}
      />
      <SubmitButton>{text("access.proceed")}</SubmitButton>
    </Form>
  );
}

export function PasswordForm({ lastResult, email }: FormPart & { email: string }) {
  const [form, fields] = useForm<{ intent: string; password: string }>({
    id: "password",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "password" },
  });
  const text = useTranslate();
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value="password" />
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <ErrorSummary form={form} fields={[fields.password]} />
      <Field
        field={fields.password}
        label={text("access.password")}
        type="password"
        autoComplete="current-password"
      />
      <SubmitButton>{text("access.proceed")}</SubmitButton>
    </Form>
  );
}
