/** The second-factor field for buyers: an authenticator code or a recovery code. */
import { useTranslate } from "../ui/text.tsx";
import { Field, type FieldProps } from "./field.tsx";

/** @param props.hint which codes it takes */
export function CodeField({ field, hint }: Pick<FieldProps, "field"> & { hint: string }) {
  const text = useTranslate();
  return (
    <Field
      field={field}
      label={text("twoStep.code")}
      hint={hint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
