/** The one select field: as Field, with a list of options. */
import type { FieldMetadata } from "@conform-to/react";
import { useCurrentErrors } from "./edited-fields.ts";
import { FieldError } from "./field.tsx";

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
  const { id, name, initialValue, errorId, errors } = field;
  const isWrong = useCurrentErrors()({ name, errors }) !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FieldError field={{ name, errors, errorId }} />
      <select
        id={id}
        name={name}
        defaultValue={initialValue ?? ""}
        autoComplete={autoComplete}
        aria-required={required || undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? errorId : undefined}
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
