/** What a change of how to sign in asks for: the password of an account that has one, and a code once there is a second factor. */
import type { FieldMetadata } from "@conform-to/react";
import { CodeField } from "../../forms/code-field.tsx";
import { Field } from "../../forms/field.tsx";
import { useText } from "../../ui/text.tsx";

export interface ShownFieldsProps {
  fields: Record<"currentPassword" | "code", FieldMetadata<string>>;
  hasPassword: boolean;
  /** Which codes there are: of an app and recovery codes, or recovery codes alone, or an app's first; null asks for none. */
  codes: keyof typeof hints | null;
}

const hints = {
  app: "twoStep.codeHint",
  recovery: "twoStep.recoveryHint",
  first: "twoStep.appCodeHint",
} as const;

export function ShownFields({ fields, hasPassword, codes }: ShownFieldsProps) {
  const text = useText();
  return (
    <>
      {hasPassword && (
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
