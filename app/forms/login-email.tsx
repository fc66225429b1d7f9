/** The email of a sign-in, which password managers fill in. */
import type { FieldMetadata } from "@conform-to/react";
import { useTranslate } from "../ui/text.tsx";
import { Field } from "./field.tsx";

export function LoginEmail({ field }: { field: FieldMetadata<string> }) {
  const label = useTranslate()("access.email");
  return <Field field={field} label={label} type="email" autoComplete="username" inputMode="email" />;
}
