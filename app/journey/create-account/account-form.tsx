/** The account form of step 2 (docs/specification.md, section 3): company, contact, address, registration. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, type ReactNode, useRef } from "react";
import type { z } from "zod";
import { ungrouped } from "#server/foundation/digits.ts";
import * as paths from "#server/foundation/paths.ts";
import type { accountFormSchema } from "../../forms/account-schema.ts";
import { AddressFieldset, type AddressRules, ContactFields } from "../../forms/address-fields.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { useKeptContact } from "./use-kept-contact.ts";

type Answers = Omit<z.input<typeof accountFormSchema>, "intent">;

export interface AccountFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  answers: Answers;
  readOnly: { company: boolean; address: boolean };
  /** The company from the register or a saved address, line by line; null where it is typed, or was corrected since. */
  found: string[] | null;
  /** Texts of the address fields, and their options. */
  states: readonly { value: string; label: string }[];
  place: AddressRules;
  /** Link that reopens the GST dialog, when there is a choice to make. */
  changeAddress: string | null;
  signedInAs: string | null;
  /**
   * The signed-in account was created at this step. Until the order is paid, correcting the email moves the account to the
   * new one.
   */
  ownAccount: boolean;
  /** Page where an owner changes the company's name. */
  companyUrl: string;
  logIn: string;
}

const businessNames = [
  "companyName",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "pincode",
  "country",
  "organisationRegistrationNumber",
  "gst_code",
] as const;

/** Field names in screen order, which is also the order of the error summary. */
const fieldNames = [...businessNames, "firstName", "lastName", "email", "phoneCode", "phoneNumber"] as const;

/**
 * The GSTIN in a text that may have spaces, dots and hyphens, as on letterheads. Empty when the text is not as long as one. The
 * server validates it.
 */
function gstinIn(text: string): string {
  const value = ungrouped(text).toUpperCase();
  return /^\d\d[\dA-Z]{13}$/.test(value) ? value : "";
}

/**
 * A company's GSTIN is valid for both number fields: one typed into the first is copied to the second, until the buyer edits
 * the second.
 */
function useOneGstin(first: string) {
  const filled = useRef(gstinIn(first));
  return ({ currentTarget: { form, value } }: FormEvent<HTMLInputElement>) => {
    const second = form?.elements.namedItem("gst_code");
    if (!(second instanceof HTMLInputElement) || (second.value !== "" && second.value !== filled.current))
      return;
    filled.current = gstinIn(value);
    if (second.value === filled.current) return;
    second.value = filled.current;
    // Clears the second field's error, which was about its former value.
    second.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

export function AccountForm(props: AccountFormProps) {
  const {
    lastResult,
    answers,
    readOnly,
    states,
    place,
    changeAddress,
    signedInAs,
    ownAccount,
    companyUrl,
    logIn,
  } = props;
  const text = useTranslate();
  const [form, fields] = useForm({
    id: "account",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "account", ...answers },
  });
  const fixed = readOnly.address;
  useKeptContact(form.id);
  const fillGstCode = useOneGstin(answers.organisationRegistrationNumber ?? "");
  const business = (
    <>
      <Field
        field={fields.companyName}
        label={text("createAccount.companyName")}
        hint={
          readOnly.company ? (
            <Rich
              text={text("createAccount.fixedName")}
              parts={{ link: (inner) => <a href={companyUrl}>{inner}</a> }}
            />
          ) : undefined
        }
        readOnly={readOnly.company}
        autoComplete="organization"
      />
      <AddressFieldset
        fields={fields}
        place={place}
        states={states}
        country={answers.country}
        readOnly={fixed}
        {...(place.isGst && { onRegistration: fillGstCode })}
      />
    </>
  );
  const contact = (
    <ContactFields
      fields={fields}
      place={place}
      readOnly={fixed}
      {...(signedInAs === null && { emailHint: text("createAccount.emailHint") })}
    />
  );
  return (
    <PostForm
      {...getFormProps(form)}
      data-when-unsent={text("forms.kept", { said: text("createAccount.failed", { error: "{error}" }) })}
    >
      <input type="hidden" name="intent" value="account" />
      <ErrorSummary form={form} fields={fieldNames.map((name) => fields[name])} />
      <p>
        {signedInAs === null ? (
          <Rich
            text={text("createAccount.already")}
            parts={{ link: (inner) => <a href={logIn}>{inner}</a> }}
          />
        ) : (
          <Rich
            text={text(ownAccount ? "createAccount.signedInNew" : "createAccount.signedIn", {
              email: signedInAs,
            })}
            parts={{ email: (inner) => <Breakable>{inner}</Breakable> }}
          />
        )}
      </p>
      <h2>{text("createAccount.business")}</h2>
      {changeAddress !== null && (
        <p>
          <a href={changeAddress}>{text("createAccount.changeAddress")}</a>
        </p>
      )}
      {props.found === null ? (
        business
      ) : (
        <FoundCompany
          lines={props.found}
          mayBeWrong={(fixed ? fieldNames : businessNames).some((name) => fields[name].errors)}
          summary={text(fixed ? "createAccount.allDetails" : "createAccount.correct")}
        >
          {business}
          {fixed && contact}
        </FoundCompany>
      )}
      {!fixed && (
        <>
          <h2>{text("createAccount.contact")}</h2>
          {contact}
        </>
      )}
      <p className="hint">{text("createAccount.next")}</p>
      {signedInAs === null && (
        <p className="hint">
          <Rich
            text={text("createAccount.privacy")}
            parts={{ link: (inner) => <a href={paths.privacy()}>{inner}</a> }}
          />
        </p>
      )}
      <SubmitButton>{text("forms.next")}</SubmitButton>
    </PostForm>
  );
}

/** Shows a company found in the register, or a saved address. The fields that it fills are behind a link. */
function FoundCompany(props: { lines: string[]; mayBeWrong: boolean; summary: string; children: ReactNode }) {
  const [name, ...lines] = props.lines;
  return (
    <section className="card">
      <p>
        <strong>{name}</strong>
        {lines.map((line) => (
          <span key={line} className="line">
            {line}
          </span>
        ))}
      </p>
      <details className="by-hand" open={props.mayBeWrong}>
        <summary>{props.summary}</summary>
        {props.children}
      </details>
    </section>
  );
}
