/** The form for paying outside the checkout: the ways to pay, the terms, and one button labelled for the chosen way. */
import { type FieldMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { OtherMethod } from "#server/catalogue/pricing/payment-methods.ts";
import { Choice } from "../../forms/choice.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { FoldedReferenceFields, type ReferenceTexts } from "../../journey/references-fields.tsx";
import { type Term, TermsField } from "../../journey/terms-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

/** A way to pay, as the page describes it. */
export interface OfferedWay {
  way: OtherMethod;
  title: string;
  says: string;
  /** Conditions of this way, below the choices. */
  conditions: string[];
  /** Label of the button. */
  button: string;
}

interface WaysFormProps {
  lastResult: SubmissionResult<string[]> | null;
  /** One or more. */
  ways: OfferedWay[];
  terms: Term[];
  /** Hidden fields. */
  posted: Record<string, string>;
  references: { given: ReferenceTexts; longest: Record<keyof ReferenceTexts, number> };
}

export function WaysForm({ lastResult, ways, terms, posted, references }: WaysFormProps) {
  const text = useTranslate();
  const [form, fields] = useForm<{ intent: string; way: string; terms: string } & ReferenceTexts>({
    id: "pay",
    lastResult,
    defaultValue: { ...references.given, way: ways[0]?.way ?? "" },
  });
  const { purchaseOrder, costCentre, note, way } = fields;
  return (
    <Form method="post" {...getFormProps(form)} className="ways" noValidate>
      <ErrorSummary form={form} fields={[purchaseOrder, costCentre, note, fields.terms]} />
      {Object.entries(posted).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <WayChoice field={way} ways={ways} />
      <FoldedReferenceFields fields={{ purchaseOrder, costCentre, note }} longest={references.longest} />
      <h2>{text("review.terms")}</h2>
      <TermsField field={fields.terms} terms={terms} />
      <p className="actions">
        <SubmitButton>
          {ways.map(({ way, button }) => (
            <span key={way} data-way={way}>
              {button}
            </span>
          ))}
        </SubmitButton>
      </p>
    </Form>
  );
}

/** ways.css hides the conditions and the button label of a way that is not chosen. */
function WayChoice({ field, ways }: { field: FieldMetadata<string>; ways: OfferedWay[] }) {
  const text = useTranslate();
  // The posted way might no longer be offered.
  const chosen = ways.find(({ way }) => way === field.initialValue) ?? ways[0];
  return (
    <>
      <fieldset className="choices">
        <legend className="visually-hidden">{text("paying.wayQuestion")}</legend>
        {ways.map(({ way, title, says }) => (
          <Choice
            key={way}
            name={field.name}
            value={way}
            defaultChecked={way === chosen?.way}
            title={title}
            hint={says}
          />
        ))}
      </fieldset>
      {ways.map(({ way, conditions }) =>
        conditions.length === 0 ? null : (
          <p key={way} data-way={way} className="hint">
            {conditions.join(" ")}
          </p>
        ),
      )}
    </>
  );
}
