/** Inviting somebody by mail. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { roles } from "./roles.ts";

export function InviteForm({ lastResult }: { lastResult: SubmissionResult<string[]> | null }) {
  const [form, fields] = useForm<{ email: string; role: string }>({
    id: "invite",
    lastResult,
    defaultValue: { role: "viewer" },
  });
  return (
    <section className="narrow-form" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite somebody</h2>
      <form method="post" {...getFormProps(form)} noValidate>
        <input type="hidden" name="intent" value="invite" />
        <ErrorSummary form={form} fields={[fields.email, fields.role]} />
        <Field
          field={fields.email}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          hint="They get a link that works once, for 7 days."
        />
        <div className="field">
          <label htmlFor={fields.role.id}>Role</label>
          <FieldError field={fields.role} />
          <select id={fields.role.id} name="role" defaultValue={fields.role.initialValue}>
            {roles.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <SubmitButton>Send invitation</SubmitButton>
      </form>
    </section>
  );
}
