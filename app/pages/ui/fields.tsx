/** Fields without and with errors. */
import { getFormProps, useForm } from "@conform-to/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";

export function Fields() {
  const [form, fields] = useForm<{ company: string; email: string; prefix: string; city: string }>({
    id: "sample-form",
    lastResult: {
      status: "error",
      error: { email: ["Please enter a valid email"] },
      initialValue: { email: "asha@", company: "Asha Weavers LLP" },
    },
  });
  return (
    <PostForm {...getFormProps(form)}>
      <ErrorSummary form={form} fields={[fields.email]} />
      <Field field={fields.company} label="Company Name" readOnly />
      <Field field={fields.email} label="Email" type="email" hint="Where the credentials are emailed." />
      <Field field={fields.prefix} label="Domain Name" suffix=".onmicrosoft.com" />
      <Field field={fields.city} label="City" required={false} />
      <fieldset className="field">
        <legend>Commitment and billing</legend>
        {["One Year", "One Month"].map((term, index) => (
          <label key={term} className="choice">
            <input type="radio" name="term" value={term} defaultChecked={index === 0} />
            <span>
              <strong>{term}</strong>
              <span className="hint">Billed in advance</span>
            </span>
          </label>
        ))}
      </fieldset>
    </PostForm>
  );
}
