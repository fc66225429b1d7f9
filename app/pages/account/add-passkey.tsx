/** The form that adds a passkey. The browser creates the passkey before the form is sent (enhance/passkeys.ts). */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { ReauthFields, type ReauthFieldsProps } from "./reauth-fields.tsx";

type AddPasskeyProps = Omit<ReauthFieldsProps, "fields"> & {
  lastResult: SubmissionResult<string[]> | undefined;
};

export function AddPasskey({ lastResult, ...shown }: AddPasskeyProps) {
  const text = useTranslate();
  const [form, fields] = useForm<{ name: string; currentPassword: string; code: string; response: string }>({
    id: "add-passkey",
    lastResult: lastResult ?? null,
  });
  return (
    <>
      <p className="without-scripts">{text("passkeys.needsScripts")}</p>
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        data-passkey="make"
        data-stopped={text("passkeys.stopped")}
        data-unsupported={text("passkeys.unsupported")}
      >
        <input type="hidden" name="intent" value="add" />
        <input type="hidden" name="response" value="" />
        <ErrorSummary
          form={form}
          fields={[fields.name, fields.currentPassword, fields.code, fields.response]}
        />
        <Field
          field={fields.name}
          label={text("passkeys.name")}
          hint={text("passkeys.nameHint")}
          autoComplete="off"
        />
        <ReauthFields fields={fields} {...shown} />
        {shown.codes === null && shown.proof === "password" && (
          <p className="hint">{text("passkeys.alsoAsks")}</p>
        )}
        <p className="actions needs-scripts">
          <SubmitButton>{text("passkeys.add")}</SubmitButton>
        </p>
      </Form>
    </>
  );
}
