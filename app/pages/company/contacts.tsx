/** Section of the company's page with the people besides the buyer who receive its documents. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError, nameLike } from "../../forms/field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { ContactView } from "./contacts-data.ts";

export function Contacts(props: {
  contacts: ContactView[];
  isOwner: boolean;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const text = useTranslate();
  const { contacts, isOwner, lastResult } = props;
  return (
    <section aria-labelledby="contacts-title">
      <h2 id="contacts-title">{text("billing.title")}</h2>
      <p>{text("billing.hint")}</p>
      {contacts.length === 0 && <p className="hint">{text("billing.none")}</p>}
      <ul className="cards">
        {contacts.map(({ id, email, what, state }) => (
          <li key={id} className="card member">
            <p>
              <strong>
                <Breakable>{email}</Breakable>
              </strong>
              <span className="hint">
                {what}. {state}.
              </span>
            </p>
            {isOwner && (
              <form method="post">
                <input type="hidden" name="contact" value={id} />
                <SubmitButton name="intent" value="remove-contact" variant="quiet">
                  <Rich
                    text={text("billing.remove", { email })}
                    parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
                  />
                </SubmitButton>
              </form>
            )}
          </li>
        ))}
      </ul>
      {isOwner && <AddForm lastResult={lastResult} />}
    </section>
  );
}

function AddForm({ lastResult }: { lastResult: SubmissionResult<string[]> | null }) {
  const text = useTranslate();
  const [form, fields] = useForm<{ email: string; getsInvoices: string; getsProformas: string }>({
    id: "contact",
    lastResult,
    defaultValue: { getsInvoices: "on" },
  });
  const { email, getsInvoices, getsProformas } = fields;
  return (
    <Form method="post" {...getFormProps(form)} noValidate className="narrow-form">
      <input type="hidden" name="intent" value="add-contact" />
      <ErrorSummary form={form} fields={[email, getsInvoices]} />
      <Field
        field={email}
        label={text("billing.email")}
        type="email"
        hint={text("billing.addHint")}
        inputMode="email"
        {...nameLike}
      />
      <fieldset>
        <legend>{text("billing.gets")}</legend>
        <FieldError field={getsInvoices} />
        {[
          { field: getsInvoices, label: text("billing.invoices") },
          { field: getsProformas, label: text("billing.proformas") },
        ].map(({ field, label }) => (
          <label key={field.name} className="choice">
            <input
              type="checkbox"
              id={field.id}
              name={field.name}
              defaultChecked={field.initialValue === "on"}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <SubmitButton variant="quiet">{text("billing.add")}</SubmitButton>
    </Form>
  );
}
