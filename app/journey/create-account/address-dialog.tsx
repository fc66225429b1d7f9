/** The GST dialog: a GST number, a saved address, or details by hand. Proceed stays disabled until a choice is made. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { codeLike, Field, FieldError } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { OpenDialog } from "../../ui/dialog.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

export interface AddressDialogProps {
  lastResult: SubmissionResult<string[]> | undefined;
  addresses: { id: string; label: string }[];
  /** Whether a register can be asked for the address of a GSTIN. */
  withRegister: boolean;
}

export function AddressDialog({ lastResult, addresses, withRegister }: AddressDialogProps) {
  const [form, fields] = useForm<{ intent: string; choice: string; gstin: string }>({
    id: "address",
    lastResult: lastResult ?? null,
  });
  const { choice } = fields;
  const radio = (value: string) => ({
    type: "radio",
    name: choice.name,
    value,
    required: true,
    defaultChecked: choice.initialValue === value,
  });
  return (
    <OpenDialog id="address" title="How would you like to give your business address?">
      <PostForm {...getFormProps(form)} noValidate={false}>
        <input type="hidden" name="intent" value="choose-address" />
        <ErrorSummary form={form} fields={[choice, fields.gstin]} />
        <fieldset className="field" id={choice.id} tabIndex={-1}>
          <legend className="visually-hidden">Address</legend>
          <FieldError field={choice} />
          {withRegister && (
            <label className="choice">
              <input {...radio("gst")} />
              <span>
                <strong>Enter a GST number</strong>
                <span className="hint">We fill in the registered name and address.</span>
              </span>
            </label>
          )}
          {withRegister && (
            <div className="nested" data-chooses="">
              <Field field={fields.gstin} label="GST number" {...codeLike} />
            </div>
          )}
          {addresses.map(({ id, label }) => (
            <label className="choice" key={id}>
              <input {...radio(`saved:${id}`)} />
              <span>
                <strong>Use a saved address</strong>
                <span className="hint">{label}</span>
              </span>
            </label>
          ))}
          <label className="choice">
            <input {...radio("manual")} />
            <span>
              <strong>Add details manually</strong>
              <span className="hint">You type the address; a PAN will do instead of a GST number.</span>
            </span>
          </label>
        </fieldset>
        {/* The shared script disables it until a radio is chosen. Without scripts, the browser's own validation does the same. */}
        <SubmitButton needsChoice={choice.name}>Proceed</SubmitButton>
      </PostForm>
    </OpenDialog>
  );
}
