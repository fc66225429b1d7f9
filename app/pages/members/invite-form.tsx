/** The form that invites a member by email. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { roles } from "./roles.ts";

export function InviteForm({ lastResult }: { lastResult: SubmissionResult<string[]> | null }) {
  const [form, fields] = useForm<{ email: string; role: string }>({
    id: "invite",
    lastResult,
    defaultValue: { role: "viewer" },
  });
  const text = useTranslate();
  return (
    <section className="narrow-form" aria-labelledby="invite-title">
      <h2 id="invite-title">{text("members.invite")}</h2>
      <form method="post" {...getFormProps(form)} noValidate>
        <input type="hidden" name="intent" value="invite" />
        <ErrorSummary form={form} fields={[fields.email, fields.role]} />
        <Field
          field={fields.email}
          label={text("members.email")}
          type="email"
          inputMode="email"
          autoComplete="off"
          hint={text("members.inviteHint")}
        />
        <div className="field">
          <label htmlFor={fields.role.id}>{text("members.role")}</label>
          <FieldError field={fields.role} />
          <select id={fields.role.id} name="role" defaultValue={fields.role.initialValue}>
            {roles.map(({ value, label }) => (
              <option key={value} value={value}>
                {text(label)}
              </option>
            ))}
          </select>
        </div>
        <SubmitButton>{text("members.send")}</SubmitButton>
      </form>
    </section>
  );
}
