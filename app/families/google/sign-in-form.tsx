/** Google Sign-In: the administrator of a new account, or the transfer token of an existing account. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useEmptiedPasswords } from "../../forms/emptied-passwords.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, nameLike } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { TransferHelp } from "./transfer-help.tsx";

export interface GoogleSignInView {
  family: "google";
  /** Different each time the step asks, so that React starts a new form. */
  attempt: number;
  domain: string;
  isTransfer: boolean;
  username: string;
}

export function GoogleSignInForm({
  lastResult,
  domain,
  isTransfer,
  username,
}: GoogleSignInView & { lastResult: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useForm<{ mode: string; username: string; password: string; transferToken: string }>(
    {
      id: "google-sign-in",
      lastResult: lastResult ?? null,
      defaultValue: { username },
    },
  );
  useEmptiedPasswords(form.id, lastResult);
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="mode" value={isTransfer ? "google-transfer" : "google-new"} />
      <ErrorSummary
        form={form}
        fields={isTransfer ? [fields.transferToken] : [fields.username, fields.password]}
      />
      <p className="lead">
        Your domain: <strong>{domain}</strong>
      </p>
      {isTransfer ? (
        <>
          <p>This domain already has a Google account. With its transfer token it moves to us.</p>
          <TransferHelp domain={domain} />
          <Field field={fields.transferToken} label="Transfer token" {...nameLike} maxLength={500} />
        </>
      ) : (
        <>
          <p>Choose the first administrator. Sign in with this account to add your colleagues.</p>
          <Field
            field={fields.username}
            label="Username"
            suffix={`@${domain}`}
            {...nameLike}
            maxLength={63}
          />
          <Field
            field={fields.password}
            label="Password"
            type="password"
            autoComplete="new-password"
            hint="At least 8 characters, using only letters, digits and @$!%*?&. Include an upper-case letter, a lower-case letter, a digit and one of those symbols."
          />
        </>
      )}
      <SubmitButton>Next</SubmitButton>
    </PostForm>
  );
}
