/** The second-factor field. It always accepts both an authenticator code and a recovery code. */
import { Field, type FieldProps } from "../forms/field.tsx";

export function CodeField({ field }: Pick<FieldProps, "field">) {
  return (
    <Field
      field={field}
      label="Code"
      hint="The 6-digit code from your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
