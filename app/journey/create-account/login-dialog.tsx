/**
 * The two dialogs for an email that already has an account: choosing how to continue, and logging in without leaving the order.
 */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { useClearedPasswords } from "../../forms/use-cleared-passwords.ts";
import { InitiallyOpenDialog } from "../../ui/dialog.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

/** @param another link to the form for typing another email */
export function AccountExistsDialog(props: { here: string; email: string; another: string }) {
  const { here, email, another } = props;
  const text = useTranslate();
  return (
    <InitiallyOpenDialog id="exists" title={text("createAccount.existsTitle")} leave={another}>
      <p>{email === "" ? text("createAccount.thisExists") : text("createAccount.exists", { email })}</p>
      <p className="actions">
        {/* biome-ignore lint/a11y/noAutofocus: the reader must land on the answer to the post, also without scripts */}
        <a className="button" href={`${here}?account=login`} autoFocus>
          {text("createAccount.logIn")}
        </a>{" "}
        <a href={another}>{text("createAccount.anotherEmail")}</a>
      </p>
    </InitiallyOpenDialog>
  );
}

export interface LoginDialogProps {
  here: string;
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** The message when the form could not be sent. */
  unsentMessage: string;
}

export function LoginDialog({ here, email, lastResult, unsentMessage }: LoginDialogProps) {
  const text = useTranslate();
  const [form, fields] = useForm<{ intent: string; loginEmail: string; loginPassword: string }>({
    id: "login",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "login", loginEmail: email },
  });
  useClearedPasswords(form.id, lastResult);
  return (
    <InitiallyOpenDialog id="login" title={text("createAccount.loginTitle")} leave={here}>
      <PostForm {...getFormProps(form)} data-when-unsent={unsentMessage}>
        <input type="hidden" name="intent" value="login" />
        <ErrorSummary form={form} fields={[fields.loginEmail, fields.loginPassword]} />
        <Field
          field={fields.loginEmail}
          label={text("createAccount.username")}
          type="email"
          autoComplete="username"
          inputMode="email"
        />
        <Field
          field={fields.loginPassword}
          label={text("createAccount.password")}
          type="password"
          autoComplete="current-password"
        />
        <p className="actions">
          <SubmitButton>{text("createAccount.login")}</SubmitButton>{" "}
          <a href={here}>{text("createAccount.cancel")}</a>
        </p>
        <p className="hint">{text("createAccount.noPassword")}</p>
      </PostForm>
    </InitiallyOpenDialog>
  );
}
