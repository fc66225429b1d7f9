/**
 * The sign-in form: a known tenant of the company, a new tenant ("I do not have a Microsoft 365 account": username and prefix),
 * or an existing one ("I have one": its username).
 */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useCallback, useEffect, useState } from "react";
import { Choice, type ChoiceLabels } from "../../forms/choice.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field, FieldError, nameLike } from "../../forms/field.tsx";
import { NewTenantFields } from "../../forms/new-tenant-fields.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { closeApprovalWindow, openApprovalWindow } from "./approval-window.ts";
import { existingUsernameProblem } from "./existing-username.ts";

interface Values {
  mode: string;
  username: string;
  prefix: string;
  existingUsername: string;
}

export interface SignInFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  /** The company's tenants that the store knows. They need no approval. */
  known: ChoiceLabels[];
  answers: { mode: "new"; username: string; prefix: string } | { mode: "existing"; username: string } | null;
  suggestion: string;
  /** Available names in place of a refused one. */
  offers: readonly string[];
  /** Address of the approval page, as shown in the small window. */
  approval: string;
}

export function SignInForm({ lastResult, known, answers, suggestion, offers, approval }: SignInFormProps) {
  const text = useTranslate();
  const [form, fields] = useForm<Values>({
    id: "sign-in",
    lastResult: lastResult ?? null,
    defaultValue: {
      mode: answers?.mode ?? known[0]?.value ?? "new",
      username: answers?.mode === "new" ? answers.username : "admin",
      prefix: answers?.mode === "new" ? answers.prefix : suggestion,
      existingUsername: answers?.mode === "existing" ? answers.username : "",
    },
  });
  const { mode, username, prefix, existingUsername } = fields;
  const sentName = lastResult?.initialValue?.username;
  const typedName = typeof sentName === "string" ? sentName : "admin";
  const chosen = mode.initialValue ?? "new";
  const [isReady, look] = useReadiness(form.id);
  useEffect(() => {
    if (lastResult?.status === "error") closeApprovalWindow();
  }, [lastResult]);
  const { onSubmit, ...formProps } = getFormProps(form);
  return (
    <>
      <PostForm
        {...formProps}
        className="sign-in"
        onChange={look}
        onSubmit={(event) => {
          const form = event.currentTarget;
          if (valueIn(form, "mode") === "existing")
            openApprovalWindow(approval, valueIn(form, "existingUsername"));
          onSubmit(event);
        }}
      >
        <noscript>
          <input type="hidden" name="plain" value="on" />
        </noscript>
        <ErrorSummary form={form} fields={[mode, username, prefix, existingUsername]} />
        <fieldset className="field" id={mode.id} tabIndex={-1}>
          <legend>{text("signIn.whichAccount")}</legend>
          <FieldError field={mode} />
          {known.map(({ value, title, hint }) => (
            <Choice
              key={value}
              name={mode.name}
              value={value}
              defaultChecked={chosen === value}
              title={<Breakable>{title}</Breakable>}
              hint={<Breakable>{hint}</Breakable>}
            />
          ))}
          <Choice
            name={mode.name}
            value="new"
            defaultChecked={chosen === "new"}
            title={text("signIn.haveNone")}
            hint={text("signIn.haveNoneHint")}
          />
          <div className="nested when-new">
            <NewTenantFields
              username={username}
              prefix={prefix}
              preview={{ username: "admin", prefix: suggestion }}
              suffix=".onmicrosoft.com"
            />
            <FreeNames names={offers} username={typedName} />
          </div>
          <Choice
            name={mode.name}
            value="existing"
            defaultChecked={chosen === "existing"}
            title={text("signIn.haveOne")}
            hint={text("signIn.haveOneHint")}
          />
          <div className="nested when-existing">
            <Field
              field={existingUsername}
              label={text("signIn.existingUsername")}
              hint={text("signIn.existingUsernameHint")}
              {...nameLike}
              inputMode="email"
            />
          </div>
        </fieldset>
        <SubmitButton isReady={isReady}>{text("forms.next")}</SubmitButton>
      </PostForm>
      <PostForm id={offersFormId}>
        <input type="hidden" name="mode" value="new" />
        <input type="hidden" name="username" value={typedName} />
      </PostForm>
    </>
  );
}

const offersFormId = "free-names";

/** Buttons of a separate form, because Enter in a field would otherwise press the first of them. */
function FreeNames({ names, username }: { names: readonly string[]; username: string }) {
  const text = useTranslate();
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend>{text("signIn.freeNames")}</legend>
      <p className="actions">
        {names.map((name) => (
          <button key={name} type="submit" className="quiet" form={offersFormId} name="prefix" value={name}>
            <Breakable>{`${username}@${name}.onmicrosoft.com`}</Breakable>
          </button>
        ))}
      </p>
    </fieldset>
  );
}

function valueIn(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? "");
}

/** Disables Next, with scripts, until the username is plausible. Checked on every input, and once on load. */
function useReadiness(formId: string): [isReady: boolean, look: () => void] {
  const [isReady, setReady] = useState(true);
  const look = useCallback(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement) || valueIn(form, "mode") !== "existing") return setReady(true);
    setReady(existingUsernameProblem(valueIn(form, "existingUsername")) === null);
  }, [formId]);
  useEffect(look, [look]);
  return [isReady, look];
}
