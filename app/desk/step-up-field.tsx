/** Second-factor field of a form on money, prices or people. Shown when the last check is more than ten minutes old. */
import type { FieldMetadata } from "@conform-to/react";
import { Field } from "../forms/field.tsx";
import { CodeField } from "./code-field.tsx";

/** The field to show; null after a recent check. */
export type StepUpMethod = "code" | "password" | null;

export function StepUpField({
  shownAgain,
  field,
}: {
  shownAgain: StepUpMethod;
  field: FieldMetadata<string>;
}) {
  if (shownAgain === null) return null;
  if (shownAgain === "code") return <CodeField field={field} />;
  return (
    <Field
      field={field}
      label="Your password"
      hint="We ask again before actions on money, prices or people."
      type="password"
      autoComplete="current-password"
    />
  );
}
