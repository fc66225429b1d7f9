/** The account form of step 2 (docs/specification.md, section 3): company, contact, address, registration. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useRef } from "react";
import type { z } from "zod";
import type { accountFormSchema } from "../../forms/account-schema.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { failureWords } from "../../forms/failure-words.ts";
import { codeLike, Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import { SelectField } from "../../forms/select-field.tsx";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

type Answers = Omit<z.input<typeof accountFormSchema>, "intent">;

/** The address rules of the order's country. */
export interface AddressPlace {
  countryName: string;
  postcodeLabel: string;
  postcodeKeys: "numeric" | "text";
  isGst: boolean;
  registrationLabel: string;
  registrationHint: string;
  phoneCodes: { value: string; label: string }[];
  /** `phoneAttribute` of the accepted countries. */
  phones: string;
}

export interface AccountFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  answers: Answers;
  readOnly: { company: boolean; address: boolean };
  states: string[];
  place: AddressPlace;
  /** Link that reopens the GST dialog, when there is a choice to make. */
  changeAddress: string | null;
  signedInAs: string | null;
  /**
   * The signed-in account was created at this step. Until the order is paid, correcting the email moves the account to the
   * new one.
   */
  ownAccount: boolean;
  /** Link by which a customer asks us for another company name. */
  askForName: string;
  logIn: string;
}

/** In screen order, which is also the order of the error summary. */
const fieldNames = [
  "companyName",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "pincode",
  "country",
  "organisationRegistrationNumber",
  "gst_code",
  "firstName",
  "lastName",
  "email",
  "phoneCode",
  "phoneNumber",
] as const;

const gstinForm = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;

/**
 * The GSTIN in a text that may have spaces, dots and hyphens, as on letterheads. Empty when the text has no GSTIN's form. The
 * server validates it.
 */
function gstinIn(text: string): string {
  const value = text.replace(/[\s.-]/g, "").toUpperCase();
  return gstinForm.test(value) ? value : "";
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
    askForName,
    logIn,
  } = props;
  const [form, fields] = useForm({
    id: "account",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "account", ...answers },
  });
  const fixed = readOnly.address;
  const fillGstCode = useOneGstin(answers.organisationRegistrationNumber ?? "");
  return (
    <PostForm {...getFormProps(form)} data-when-unsent={failureWords.createAccount}>
      <input type="hidden" name="intent" value="account" />
      <ErrorSummary form={form} fields={fieldNames.map((name) => fields[name])} />
      <p>
        {signedInAs === null ? (
          <>
            Already a customer? <a href={logIn}>Log in</a> and your details are filled in.
          </>
        ) : (
          <>
            Signed in as <Breakable>{signedInAs}</Breakable>
            {ownAccount && ". If that is not right, correct the email below: your account goes with it."}
          </>
        )}
      </p>
      <h2>Your business</h2>
      {changeAddress !== null && (
        <p>
          <a href={changeAddress}>Use a GST number or a saved address</a>
        </p>
      )}
      <Field
        field={fields.companyName}
        label="Company Name"
        hint={
          readOnly.company ? (
            <>
              A customer's name cannot be changed here. <a href={askForName}>Ask us to change it</a>
            </>
          ) : undefined
        }
        readOnly={readOnly.company}
        autoComplete="organization"
      />
      <Field
        field={fields.addressLine1}
        label="Address Line 1"
        readOnly={fixed}
        autoComplete="address-line1"
      />
      <Field
        field={fields.addressLine2}
        label="Address Line 2"
        hint="Area, street or landmark. If there is none, repeat the city."
        readOnly={fixed}
        autoComplete="address-line2"
      />
      <div className="row">
        <Field field={fields.city} label="City" readOnly={fixed} autoComplete="address-level2" />
        {fixed ? (
          <Field field={fields.state} label="State" readOnly />
        ) : (
          <SelectField
            field={fields.state}
            label="State"
            unchosen="Choose a state"
            options={states.map((state) => ({ value: state, label: state }))}
            autoComplete="address-level1"
          />
        )}
      </div>
      <div className="row">
        <Field
          field={fields.pincode}
          label={place.postcodeLabel}
          readOnly={fixed}
          autoComplete="postal-code"
          inputMode={place.postcodeKeys}
        />
        <div className="field">
          <label htmlFor={fields.country.id}>Country</label>
          <input id={fields.country.id} value={place.countryName} readOnly />
          <input type="hidden" name="country" value={answers.country} />
        </div>
      </div>
      <Field
        field={fields.organisationRegistrationNumber}
        label={place.registrationLabel}
        readOnly={fixed}
        hint={place.registrationHint}
        {...(place.isGst && { onInput: fillGstCode })}
        {...codeLike}
      />
      {place.isGst && (
        <Field
          field={fields.gst_code}
          label="GST Code"
          readOnly={fixed}
          required={false}
          hint="Left empty, it is the GSTIN above."
          {...codeLike}
        />
      )}
      <h2>Who we may contact</h2>
      <div className="row">
        <Field field={fields.firstName} label="First Name" readOnly={fixed} autoComplete="given-name" />
        <Field field={fields.lastName} label="Last Name" readOnly={fixed} autoComplete="family-name" />
      </div>
      <Field
        field={fields.email}
        label="Email"
        type="email"
        readOnly={fixed}
        autoComplete="email"
        inputMode="email"
        {...(signedInAs === null && {
          hint: "We make an account for this email, and email you a link to set its password.",
        })}
      />
      <div className="row phone">
        <SelectField
          field={fields.phoneCode}
          label="Country Code"
          options={place.phoneCodes}
          autoComplete="tel-country-code"
        />
        <Field
          field={fields.phoneNumber}
          label="Phone Number"
          type="tel"
          readOnly={fixed}
          autoComplete="tel-national"
          inputMode="tel"
          enterKeyHint="done"
          phone={place.phones}
          codeField={fields.phoneCode.id}
        />
      </div>
      <p className="hint">Next you see the whole order and its total before you pay.</p>
      <SubmitButton>Next</SubmitButton>
    </PostForm>
  );
}
