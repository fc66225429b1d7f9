/** The file field, like Field. An error clears the chosen file, which its hint should say. */
import type { FieldMetadata } from "@conform-to/react";
import { useCurrentErrors } from "./edited-fields.ts";
import { FieldError } from "./field.tsx";

export interface FileFieldProps {
  field: FieldMetadata<string>;
  label: string;
  hint: string;
  /** File types that the browser offers: ".csv,text/csv". */
  accept: string;
}

export function FileField({ field, label, hint, accept }: FileFieldProps) {
  const isWrong = useCurrentErrors()(field) !== undefined;
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      <p className="hint" id={`${field.id}-hint`}>
        {hint}
      </p>
      <FieldError field={field} />
      <input
        id={field.id}
        name={field.name}
        type="file"
        accept={accept}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${field.id}-hint${isWrong ? ` ${field.errorId}` : ""}`}
      />
    </div>
  );
}
