/** Google Sign-In: the administrator of a new account, or the transfer token of an existing account. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useEffect } from "react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, nameLike } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { ShowPassword } from "../../forms/show-password.tsx";
import { useClearedPasswords } from "../../forms/use-cleared-passwords.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
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
  const text = useTranslate();
  const [form, fields] = useForm<{ mode: string; username: string; password: string; transferToken: string }>(
    {
      id: "google-sign-in",
      lastResult: lastResult ?? null,
      defaultValue: { username },
    },
  );
  useClearedPasswords(form.id, lastResult);
  useEffect(() => {
    void import("../../enhance/show-password.ts");
  }, []);
  return (
    <PostForm {...getFormProps(form)}>
      <input type="hidden" name="mode" value={isTransfer ? "google-transfer" : "google-new"} />
      <ErrorSummary
        form={form}
        fields={isTransfer ? [fields.transferToken] : [fields.username, fields.password]}
      />
      <p className="lead">
        <Rich
          text={text("signIn.yourDomain", { domain })}
          parts={{ domain: (inner) => <strong>{inner}</strong> }}
        />
      </p>
      {isTransfer ? (
        <>
          <p>{text("signIn.hasAccount")}</p>
          <TransferHelp domain={domain} />
          <Field
            field={fields.transferToken}
            label={text("signIn.transferToken")}
            {...nameLike}
            maxLength={500}
          />
        </>
      ) : (
        <>
          <p>{text("signIn.firstAdministrator")}</p>
          <Field
            field={fields.username}
            label={text("forms.username")}
            suffix={`@${domain}`}
            {...nameLike}
            maxLength={63}
          />
          <Field
            field={fields.password}
            label={text("signIn.password")}
            type="password"
            autoComplete="new-password"
            hint={text("signIn.passwordHint")}
            suffix={<ShowPassword of={fields.password.id} />}
          />
        </>
      )}
      <SubmitButton>{text("forms.next")}</SubmitButton>
    </PostForm>
  );
}
