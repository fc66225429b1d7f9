/** One passkey of the account, and the form that removes it. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { DateText, type DateView } from "../../ui/date-text.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ReauthFields, type ReauthFieldsProps } from "./reauth-fields.tsx";

type PasskeyRowProps = Omit<ReauthFieldsProps, "fields"> & {
  passkey: { id: string; name: string; added: DateView; lastUsed: DateView | null };
  lastResult: SubmissionResult<string[]> | undefined;
};

export function PasskeyRow({ passkey, lastResult, ...shown }: PasskeyRowProps) {
  const { id, name, added, lastUsed } = passkey;
  const text = useTranslate();
  const [form, fields] = useForm<{ currentPassword: string; code: string }>({
    id: `remove-${id}`,
    lastResult: lastResult ?? null,
  });
  return (
    <li className="card">
      <p>
        <strong>{name}</strong>
        <br />
        <span className="hint">
          <Rich
            text={
              lastUsed === null
                ? text("passkeys.neverUsed", { added: added.text })
                : text("passkeys.lastUsed", { added: added.text, used: lastUsed.text })
            }
            parts={{
              added: () => <DateText {...added} />,
              used: () => lastUsed !== null && <DateText {...lastUsed} />,
            }}
          />
        </span>
      </p>
      <details open={lastResult !== undefined}>
        <summary>
          <Rich
            text={text("passkeys.remove", { name })}
            parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
          />
        </summary>
        <Form method="post" {...getFormProps(form)} noValidate>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="id" value={id} />
          <ErrorSummary form={form} fields={[fields.currentPassword, fields.code]} />
          <ReauthFields fields={fields} {...shown} />
          <p className="actions">
            <SubmitButton variant="danger">{text("passkeys.removeNamed", { name })}</SubmitButton>
          </p>
        </Form>
      </details>
    </li>
  );
}
