/** The field for a second factor: wherever it is shown, it takes a code of the app or a recovery code. */
import { Field, type FieldProps } from "../forms/field.tsx";

export function CodeField({ field }: Pick<FieldProps, "field">) {
  return (
    <Field
      field={field}
      label="Code"
      hint="The six digits that your authenticator app shows now, or one of your recovery codes."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
