/** A field of many lines: as Field, for what is pasted whole. */
import type { FieldMetadata } from "@conform-to/react";
import { FieldError } from "./field.tsx";
import { useStandingErrors } from "./typed-over.ts";

export interface TextAreaProps {
  field: FieldMetadata<string>;
  label: string;
  hint: string;
  rows: number;
  maxLength: number;
}

export function TextArea({ field, label, hint, rows, maxLength }: TextAreaProps) {
  const isWrong = useStandingErrors()(field) !== undefined;
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      <p className="hint" id={`${field.id}-hint`}>
        {hint}
      </p>
      <FieldError field={field} />
      <textarea
        id={field.id}
        name={field.name}
        defaultValue={field.initialValue ?? ""}
        rows={rows}
        maxLength={maxLength}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        aria-required
        aria-invalid={isWrong || undefined}
        aria-describedby={[`${field.id}-hint`, isWrong ? field.errorId : null]
          .filter((id) => id !== null)
          .join(" ")}
      />
    </div>
  );
}
