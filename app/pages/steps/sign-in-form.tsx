/** The sign-in form: "I do not have a Microsoft 365 account" asks for a username and a prefix, "I have one" for its username. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { NewTenantFields } from "./new-tenant-fields.tsx";

interface Values {
  mode: string;
  username: string;
  prefix: string;
  existingUsername: string;
}

export interface SignInFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  answers: { mode: "new"; username: string; prefix: string } | { mode: "existing"; username: string } | null;
  suggestion: string;
}

export function SignInForm({ lastResult, answers, suggestion }: SignInFormProps) {
  const [form, fields] = useForm<Values>({
    id: "sign-in",
    lastResult: lastResult ?? null,
    defaultValue: {
      mode: answers?.mode ?? "new",
      username: answers?.mode === "new" ? answers.username : "admin",
      prefix: answers?.mode === "new" ? answers.prefix : suggestion,
      existingUsername: answers?.mode === "existing" ? answers.username : "",
    },
  });
  const { mode, username, prefix, existingUsername } = fields;
  const chosen = mode.initialValue ?? "new";
  return (
    <PostForm {...getFormProps(form)} className="sign-in">
      <ErrorSummary form={form} fields={[mode, username, prefix, existingUsername]} />
      <fieldset className="field">
        <legend>Which account should we add the subscription to?</legend>
        <label className="choice">
          <input type="radio" name={mode.name} value="new" defaultChecked={chosen === "new"} />
          <span>
            <strong>I do not have a Microsoft 365 account</strong>
            <span className="hint">We create one for you.</span>
          </span>
        </label>
        <div className="nested when-new">
          <NewTenantFields
            username={username}
            prefix={prefix}
            preview={{ username: "admin", prefix: suggestion }}
          />
        </div>
        <label className="choice">
          <input type="radio" name={mode.name} value="existing" defaultChecked={chosen === "existing"} />
          <span>
            <strong>I have a Microsoft 365 account</strong>
            <span className="hint">You approve us as your partner, and the subscription is added to it.</span>
          </span>
        </label>
        <div className="nested when-existing">
          <Field
            field={existingUsername}
            label="Existing username"
            hint="An administrator's username, ending with .onmicrosoft.com"
            autoComplete="off"
            inputMode="email"
          />
        </div>
      </fieldset>
      <SubmitButton>Next</SubmitButton>
    </PostForm>
  );
}
