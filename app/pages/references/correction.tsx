/** The form in which a buyer requests a corrected invoice, with its effects above the button. */
import { type FieldMetadata, type FormMetadata, getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { Choice } from "../../forms/choice.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { FieldError } from "../../forms/field.tsx";
import { ReferenceFields, type ReferenceTexts } from "../../journey/references-fields.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { CorrectionForm } from "./correction-data.ts";

export type CorrectionTexts = { [name in keyof ReferenceTexts | "invoice" | "place"]: string };

export function Correction(props: {
  form: FormMetadata<CorrectionTexts, string[]>;
  fields: { [name in keyof CorrectionTexts]: FieldMetadata<string> };
  shown: CorrectionForm;
  longest: { [name in keyof ReferenceTexts]: number };
  back: string;
}) {
  const { form, fields, shown, longest, back } = props;
  const { place } = fields;
  const text = useTranslate();
  const picked = place.initialValue ?? "";
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <ErrorSummary form={form} fields={[fields.purchaseOrder, fields.costCentre, fields.note, place]} />
      <input type="hidden" name="invoice" value={shown.invoice} />
      <ReferenceFields fields={fields} longest={longest} />
      {shown.places.length > 1 && (
        <fieldset
          className="field destination"
          id={place.id}
          tabIndex={-1}
          aria-describedby={place.errors === undefined ? undefined : place.errorId}
        >
          <legend>{text("corrections.billTo")}</legend>
          <FieldError field={place} />
          {shown.places.map(({ value, title, hint }) => (
            <Choice
              key={value}
              name={place.name}
              value={value}
              defaultChecked={picked === value}
              title={<Breakable>{title}</Breakable>}
              hint={<Breakable>{hint}</Breakable>}
            />
          ))}
        </fieldset>
      )}
      {shown.company !== null && (
        <p className="hint">
          <Rich
            text={text("corrections.placesHint")}
            parts={{ company: (inner) => <a href={shown.company ?? ""}>{inner}</a> }}
          />
        </p>
      )}
      {shown.happens.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="actions">
        <SubmitButton>{text("corrections.button")}</SubmitButton> <a href={back}>{text("references.back")}</a>
      </p>
    </Form>
  );
}
