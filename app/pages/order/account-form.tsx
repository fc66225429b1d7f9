/** The account form of step 2 (SPEC section 3): company, contact, address, registration. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { z } from "zod";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { PostForm } from "../../forms/post-form.tsx";
import type { accountFormSchema } from "../../forms/schemas.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";

type Answers = Omit<z.input<typeof accountFormSchema>, "intent">;

export interface AccountFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  answers: Answers;
  readOnly: { company: boolean; address: boolean };
  states: string[];
  /** Where the GST dialog opens again, when there is a choice to make. */
  changeAddress: string | null;
  signedInAs: string | null;
  logIn: string;
}

const phoneCodes = [
  { code: "+91", place: "India" },
  { code: "+1", place: "USA" },
  { code: "+44", place: "UK" },
];

/** In the order they stand on the screen, as the error summary lists them. */
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

export function AccountForm(props: AccountFormProps) {
  const { lastResult, answers, readOnly, states, changeAddress, signedInAs, logIn } = props;
  const [form, fields] = useForm({
    id: "account",
    lastResult: lastResult ?? null,
    defaultValue: { intent: "account", ...answers },
  });
  const fixed = readOnly.address;
  return (
    <PostForm {...getFormProps(form)}>
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
        readOnly={fixed}
        autoComplete="address-line2"
      />
      <div className="row">
        <Field field={fields.city} label="City" readOnly={fixed} autoComplete="address-level2" />
        <Field
          field={fields.state}
          label="State"
          readOnly={fixed}
          autoComplete="address-level1"
          list="states"
        />
      </div>
      <datalist id="states">
        {states.map((state) => (
          <option key={state} value={state} />
        ))}
      </datalist>
      <div className="row">
        <Field field={fields.pincode} label="Pincode" readOnly={fixed} autoComplete="postal-code" />
        <div className="field">
          <label htmlFor={fields.country.id}>Country</label>
          <input id={fields.country.id} value={answers.country === "IN" ? "India" : "USA"} readOnly />
          <input type="hidden" name="country" value={answers.country} />
        </div>
      </div>
      <Field
        field={fields.organisationRegistrationNumber}
        label="Organisation Registration Number (GST or PAN)"
        readOnly={fixed}
        hint={answers.country === "IN" ? "Your GSTIN, or your PAN when you have no GSTIN." : "Your EIN."}
      />
      <Field field={fields.gst_code} label="GST Code" readOnly={fixed} required={false} />
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
      />
      <div className="row phone">
        <div className="field">
          <label htmlFor={fields.phoneCode.id}>Country Code</label>
          <select
            id={fields.phoneCode.id}
            name={fields.phoneCode.name}
            defaultValue={fields.phoneCode.initialValue ?? answers.phoneCode}
          >
            {phoneCodes.map(({ code, place }) => (
              <option key={code} value={code}>
                {code} {place}
              </option>
            ))}
          </select>
        </div>
        <Field
          field={fields.phoneNumber}
          label="Phone Number"
          type="tel"
          readOnly={fixed}
          autoComplete="tel-national"
          inputMode="numeric"
          digits
          maxLength={10}
        />
      </div>
      <p className="hint">Next you see the whole order and its total before you pay.</p>
      <SubmitButton>Next</SubmitButton>
    </PostForm>
  );
}
