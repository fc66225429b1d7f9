/** Form for texts that are edited with a preview: its errors, the version that was read, the reason, and the two buttons. */
import { type FieldMetadata, type FormMetadata, getFormProps, getInputProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { ErrorSummary } from "../forms/error-summary.tsx";
import { Field } from "../forms/field.tsx";
import { SubmitButton } from "../ui/submit-button.tsx";

interface EditFormProps {
  form: FormMetadata<Record<string, string>>;
  /** The edited fields, in form order. */
  edited: readonly FieldMetadata<string>[];
  version: FieldMetadata<string>;
  reason: FieldMetadata<string>;
  maxReasonLength: number;
  children: ReactNode;
}

export function EditForm({ form, edited, version, reason, maxReasonLength, children }: EditFormProps) {
  return (
    <Form method="post" {...getFormProps(form)} noValidate>
      <ErrorSummary form={form} fields={[...edited, reason]} />
      <input {...getInputProps(version, { type: "hidden" })} key="version" />
      {children}
      <Field
        field={reason}
        label="Reason"
        hint="Kept in the audit log with the previous text."
        maxLength={maxReasonLength}
        autoComplete="off"
      />
      <p className="actions">
        <SubmitButton>Save</SubmitButton>
        <SubmitButton variant="quiet" name="intent" value="preview">
          Preview
        </SubmitButton>
      </p>
    </Form>
  );
}
