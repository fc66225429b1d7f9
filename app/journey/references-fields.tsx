/** The buyer's own references for an order: three optional fields, collapsed until one is filled in or invalid. */
import type { FieldMetadata } from "@conform-to/react";
import { Field } from "../forms/field.tsx";
import { useTranslate } from "../ui/text.tsx";

/** The references as form values; a missing one is an empty string. */
export interface ReferenceTexts {
  purchaseOrder: string;
  costCentre: string;
  note: string;
}

interface ReferenceFields {
  fields: { [name in keyof ReferenceTexts]: FieldMetadata<string> };
  longest: { [name in keyof ReferenceTexts]: number };
}

export function FoldedReferenceFields({ fields, longest }: ReferenceFields) {
  const text = useTranslate();
  const isOpen = Object.values(fields).some(
    ({ errors, initialValue }) => errors !== undefined || (initialValue ?? "") !== "",
  );
  return (
    <details open={isOpen || undefined}>
      <summary>{text("review.references")}</summary>
      <input type="hidden" name="references" value="asked" />
      <p className="hint">{text("review.referencesWhy")}</p>
      <ReferenceFields fields={fields} longest={longest} />
    </details>
  );
}

export function ReferenceFields({ fields: { purchaseOrder, costCentre, note }, longest }: ReferenceFields) {
  const text = useTranslate();
  return (
    <>
      <Field
        field={purchaseOrder}
        label={text("review.purchaseOrder")}
        maxLength={longest.purchaseOrder}
        required={false}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        field={costCentre}
        label={text("review.costCentre")}
        maxLength={longest.costCentre}
        required={false}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        field={note}
        label={text("review.note")}
        hint={text("review.noteHint")}
        maxLength={longest.note}
        required={false}
        autoComplete="off"
      />
    </>
  );
}
