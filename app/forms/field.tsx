/** The one form field: label, hint, input and error, connected for sighted users and screen readers alike. */
import type { FieldMetadata } from "@conform-to/react";
import type { FormEventHandler, ReactNode } from "react";
import { Stepper, type StepperLabels } from "../ui/stepper.tsx";
import { useTranslate } from "../ui/text.tsx";
import { useCurrentErrors } from "./edited-fields.ts";

type InputType = "text" | "email" | "tel" | "password" | "number" | "search";

/** Input attributes for codes that contain letters, which a phone would autocorrect. */
export const codeLike = { autoCapitalize: "characters", autoComplete: "off", spellCheck: false } as const;
/** Input attributes for machine-read names, which a phone would capitalise. */
export const nameLike = { autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

export interface FieldProps {
  field: FieldMetadata<string | number | null | undefined>;
  label: string;
  type?: InputType;
  hint?: ReactNode;
  readOnly?: boolean;
  autoComplete?: string;
  inputMode?: "text" | "numeric" | "email" | "tel" | "url";
  autoCapitalize?: "characters" | "none" | "words";
  spellCheck?: false;
  enterKeyHint?: "next" | "done";
  maxLength?: number;
  onInput?: FormEventHandler<HTMLInputElement>;
  list?: string;
  /** Text after the input, such as a domain, or a button. */
  suffix?: ReactNode;
  required?: boolean;
  /**
   * Digits only, enforced by the shared script. A string is the fallback for an empty or zero field when it loses the focus.
   */
  digits?: true | string;
  /** Labels of the buttons that count a number up and down. */
  stepper?: StepperLabels;
  min?: number;
  max?: number | undefined;
  /** Set for a phone number: `phoneAttribute` of the accepted countries. */
  phone?: string;
  /** The id of the country-code select, which follows a code written with the number. */
  codeField?: string;
}

export function Field({
  field,
  label,
  type = "text",
  hint,
  suffix,
  digits,
  phone,
  codeField,
  stepper,
  required = true,
  ...input
}: FieldProps) {
  const text = useTranslate();
  // Read once: conform rebuilds a field's whole metadata on every access.
  const { id, name, formId, key, initialValue, errorId, errors: found } = field;
  const errors = useCurrentErrors()({ name, errors: found });
  const described = [hint === undefined ? null : `${id}-hint`, errors === undefined ? null : errorId]
    .filter((known) => known !== null)
    .join(" ");
  const element = (
    <input
      key={key}
      id={id}
      name={name}
      form={formId}
      type={type}
      {...input}
      defaultValue={typeof initialValue === "string" ? initialValue : undefined}
      data-phone={phone}
      data-code={codeField}
      data-digits={digits === undefined ? undefined : ""}
      data-fallback={typeof digits === "string" ? digits : undefined}
      aria-invalid={errors === undefined ? undefined : true}
      aria-describedby={described === "" ? undefined : described}
      aria-required={required || undefined}
    />
  );
  return (
    <div className="field">
      <label htmlFor={id}>
        {required ? (
          label
        ) : (
          <>
            <span>{label}</span>
            <span className="hint">{` ${text("forms.optional")}`}</span>
          </>
        )}
      </label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError field={{ name, errors: found, errorId }} />
      <div className={suffix === undefined ? undefined : "with-suffix"}>
        {stepper === undefined ? element : <Stepper {...stepper}>{element}</Stepper>}
        {suffix !== undefined && <span className="suffix">{suffix}</span>}
      </div>
    </div>
  );
}

export function FieldError({
  field,
}: {
  field: Pick<FieldMetadata<unknown>, "name" | "errors" | "errorId">;
}) {
  const errors = useCurrentErrors()(field);
  if (errors === undefined) return null;
  return (
    <p className="error" id={field.errorId}>
      {errors[0]}
    </p>
  );
}
