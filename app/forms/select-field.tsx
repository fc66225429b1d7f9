/** The one select field: as Field, with a list of options. */
import type { FieldMetadata } from "@conform-to/react";
import { FieldError } from "./field.tsx";
import { useStandingErrors } from "./typed-over.ts";

export interface SelectFieldProps {
  field: FieldMetadata<string>;
  label: string;
  options: readonly { value: string; label: string }[];
  /** The placeholder before anything is chosen. Left out where something is always selected. */
  unchosen?: string;
  autoComplete?: string;
  required?: boolean;
}

export function SelectField({
  field,
  label,
  options,
  unchosen,
  autoComplete,
  required = true,
}: SelectFieldProps) {
  const isWrong = useStandingErrors()(field) !== undefined;
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      <FieldError field={field} />
      <select
        id={field.id}
        name={field.name}
        defaultValue={field.initialValue ?? ""}
        autoComplete={autoComplete}
        aria-required={required || undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? field.errorId : undefined}
      >
        {unchosen !== undefined && <option value="">{unchosen}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
