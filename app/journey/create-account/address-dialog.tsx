/**
 * The GST dialog: a GST number, a saved address, or manual entry. One is preselected, so that Proceed need not wait for a choice.
 */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Fragment } from "react";
import { Choice, type ChoiceLabels } from "../../forms/choice.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { codeLike, Field, FieldError } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { InitiallyOpenDialog } from "../../ui/dialog.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

/** The choice with its own field. */
export const registerChoice = "gst";

export interface AddressDialogProps {
  lastResult: SubmissionResult<string[]> | undefined;
  choices: ChoiceLabels[];
  /** The choice at arrival. */
  chosen: string;
}

export function AddressDialog({ lastResult, choices, chosen }: AddressDialogProps) {
  const text = useTranslate();
  const [form, fields] = useForm<{ intent: string; choice: string; gstin: string }>({
    id: "address",
    lastResult: lastResult ?? null,
    defaultValue: { choice: chosen },
  });
  const { choice } = fields;
  return (
    <InitiallyOpenDialog id="address" title={text("createAccount.addressTitle")}>
      <PostForm {...getFormProps(form)} noValidate={false}>
        <input type="hidden" name="intent" value="choose-address" />
        <ErrorSummary form={form} fields={[choice, fields.gstin]} />
        <fieldset className="field" id={choice.id} tabIndex={-1}>
          <legend className="visually-hidden">{text("createAccount.address")}</legend>
          <FieldError field={choice} />
          {choices.map((words) => (
            <Fragment key={words.value}>
              <Choice
                {...words}
                name={choice.name}
                required
                defaultChecked={choice.initialValue === words.value}
              />
              {words.value === registerChoice && (
                <div className="nested" data-chooses="">
                  <Field field={fields.gstin} label={text("createAccount.gstNumber")} {...codeLike} />
                </div>
              )}
            </Fragment>
          ))}
        </fieldset>
        <SubmitButton>{text("createAccount.proceed")}</SubmitButton>
      </PostForm>
    </InitiallyOpenDialog>
  );
}
