/** One field of a staff action, by its kind. */
import type { FieldMetadata } from "@conform-to/react";
import type { ActionField } from "#server/desk/actions/action.ts";
import { Choice } from "../../forms/choice.tsx";
import { Field, FieldError } from "../../forms/field.tsx";
import { SelectField } from "../../forms/select-field.tsx";

type OwnFieldProps = ActionField & { metadata: FieldMetadata<string> };

export function OwnField({ onlyFor, ...field }: OwnFieldProps) {
  const { metadata, label, hint, kind, options = [], isOptional } = field;
  if (kind === "hidden")
    return <input type="hidden" name={metadata.name} defaultValue={metadata.initialValue} />;
  if (kind === "choice") return <SelectField field={metadata} label={label} options={options} />;
  if (kind === "radio") return <Radios {...field} />;
  const input = (
    <Field
      field={metadata}
      label={label}
      hint={hint}
      type={kind === "email" ? "email" : "text"}
      inputMode={kind === "amount" ? "text" : undefined}
      required={isOptional !== true}
      autoComplete="off"
    />
  );
  return onlyFor === undefined ? input : <div className={`only-${onlyFor}`}>{input}</div>;
}

function Radios({ metadata, label, options = [] }: OwnFieldProps) {
  const { id, name, initialValue } = metadata;
  return (
    <fieldset>
      <legend>{label}</legend>
      <FieldError field={metadata} />
      <div className="choices">
        {options.map(({ value, label: title, hint = "" }, index) => (
          <Choice
            key={value}
            id={index === 0 ? id : undefined}
            name={name}
            value={value}
            title={title}
            hint={hint}
            defaultChecked={value === initialValue}
          />
        ))}
      </div>
    </fieldset>
  );
}
