/** The fields for a new password, typed twice, next to the account's email so that a password manager stores both. */
import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { useTranslate } from "../ui/text.tsx";
import { AccountEmail } from "./account-email.tsx";
import { Field } from "./field.tsx";

export interface NewPasswordFieldsProps {
  email: string;
  fields: { password: FieldMetadata<string>; confirmPassword: FieldMetadata<string> };
  /** Fields shown before the new password. */
  children?: ReactNode;
}

export function NewPasswordFields({ email, fields, children }: NewPasswordFieldsProps) {
  const { password, confirmPassword } = fields;
  const text = useTranslate();
  return (
    <>
      <AccountEmail email={email} />
      {children}
      <Field
        field={password}
        label={text("forms.newPassword")}
        type="password"
        autoComplete="new-password"
        hint={text("forms.newPasswordHint")}
      />
      <Field
        field={confirmPassword}
        label={text("forms.confirmPassword")}
        type="password"
        autoComplete="new-password"
      />
    </>
  );
}
