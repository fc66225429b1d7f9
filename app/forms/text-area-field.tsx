/** The one field for several lines of text: as Field. */
import { type FieldMetadata, getTextareaProps } from "@conform-to/react";
import { useCurrentErrors } from "./edited-fields.ts";
import { FieldError } from "./field.tsx";

export interface TextAreaFieldProps {
  field: FieldMetadata<string>;
  label: string;
  hint?: string;
  rows: number;
  maxLength: number;
  /** BCP 47 tag of the text's language. */
  lang?: string;
  required?: boolean;
  /** Set for pasted lines: turns off correction and suggestions. */
  isData?: boolean;
}

const asData = {
  className: "data",
  autoCapitalize: "none",
  autoComplete: "off",
  spellCheck: false,
} as const;

export function TextAreaField({
  field,
  label,
  hint,
  required = true,
  isData = false,
  ...area
}: TextAreaFieldProps) {
  const isWrong = useCurrentErrors()(field) !== undefined;
  const { key, defaultValue, ...props } = getTextareaProps(field);
  const described = [hint === undefined ? null : `${field.id}-hint`, isWrong ? field.errorId : null]
    .filter((id) => id !== null)
    .join(" ");
  return (
    <div className="field">
      <label htmlFor={field.id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${field.id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError field={field} />
      <textarea
        key={key}
        {...props}
        {...area}
        {...(isData && asData)}
        defaultValue={typeof defaultValue === "string" ? defaultValue : undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={described === "" ? undefined : described}
        aria-required={required || undefined}
      />
    </div>
  );
}
