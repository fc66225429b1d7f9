/** Fields that re-authenticate a change of how to sign in: the password or a mailed code, and a code once there is a second factor. */
import type { FieldMetadata } from "@conform-to/react";
import { CodeField } from "../../forms/code-field.tsx";
import { Field } from "../../forms/field.tsx";
import { useTranslate } from "../../ui/text.tsx";

export interface ReauthFieldsProps {
  fields: Record<"currentPassword" | "code", FieldMetadata<string>>;
  /** Kind of proof to ask for; null asks for neither. */
  proof: "password" | "mailed-code" | null;
  /** Accepted codes: authenticator and recovery codes, only recovery codes, or the first code of a new app; null for none. */
  codes: keyof typeof hints | null;
}

const hints = {
  app: "twoStep.codeHint",
  recovery: "twoStep.recoveryHint",
  first: "twoStep.appCodeHint",
} as const;

export function ReauthFields({ fields, proof, codes }: ReauthFieldsProps) {
  const text = useTranslate();
  return (
    <>
      {proof === "mailed-code" && (
        <Field
          field={fields.currentPassword}
          label={text("account.mailedCode")}
          hint={text("account.mailedCodeHint")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {proof === "password" && (
        <Field
          field={fields.currentPassword}
          label={text("twoStep.password")}
          type="password"
          autoComplete="current-password"
        />
      )}
      {codes !== null && <CodeField field={fields.code} hint={text(hints[codes])} />}
    </>
  );
}
