/** Fields of a company's place: address, registration, and contact. */
import type { FieldMetadata } from "@conform-to/react";
import type { FormEventHandler } from "react";
import { useTranslate } from "../ui/text.tsx";
import { codeLike, Field, type FieldProps } from "./field.tsx";
import { SelectField } from "./select-field.tsx";

/** The address rules of the place's country. */
export interface AddressRules {
  countryName: string;
  postcodeLabel: string;
  postcodeKeys: "numeric" | "text";
  isGst: boolean;
  registrationLabel: string;
  registrationHint: string;
  registrationInSentence: string;
  phoneCodes: { value: string; label: string }[];
  /** `phoneAttribute` of the accepted countries. */
  phones: string;
}

type Fields<Name extends string> = Record<Name, FieldProps["field"]>;

export function AddressFieldset({
  fields,
  place,
  states,
  country,
  readOnly = false,
  onRegistration,
}: {
  fields: Fields<
    | "addressLine1"
    | "addressLine2"
    | "noAddressLine2"
    | "city"
    | "pincode"
    | "organisationRegistrationNumber"
    | "noRegistration"
    | "gst_code"
  > & { state: FieldMetadata<string>; country: Pick<FieldMetadata<unknown>, "id"> };
  place: AddressRules;
  states: readonly { value: string; label: string }[];
  country: string;
  readOnly?: boolean;
  /** Set where a script copies the first registration number to the second. */
  onRegistration?: FormEventHandler<HTMLInputElement>;
}) {
  const text = useTranslate();
  return (
    <>
      <Field
        field={fields.addressLine1}
        label={text("createAccount.addressLine1")}
        readOnly={readOnly}
        autoComplete="address-line1"
      />
      <Field
        field={fields.addressLine2}
        label={text("createAccount.addressLine2")}
        hint={text("createAccount.addressLine2Hint")}
        readOnly={readOnly}
        autoComplete="address-line2"
      />
      <NoneTick field={fields.noAddressLine2} readOnly={readOnly}>
        {text("createAccount.noAddressLine2")}
      </NoneTick>
      <div className="row">
        <Field
          field={fields.city}
          label={text("createAccount.city")}
          readOnly={readOnly}
          autoComplete="address-level2"
        />
        {readOnly ? (
          <Field field={fields.state} label={text("createAccount.state")} readOnly />
        ) : (
          <SelectField
            field={fields.state}
            label={text("createAccount.state")}
            unchosen={text("createAccount.chooseState")}
            options={states}
            autoComplete="address-level1"
          />
        )}
      </div>
      <div className="row">
        <Field
          field={fields.pincode}
          label={place.postcodeLabel}
          readOnly={readOnly}
          autoComplete="postal-code"
          inputMode={place.postcodeKeys}
        />
        <div className="field">
          <label htmlFor={fields.country.id}>{text("createAccount.country")}</label>
          <input id={fields.country.id} value={place.countryName} readOnly />
          <input type="hidden" name="country" value={country} />
        </div>
      </div>
      <Field
        field={fields.organisationRegistrationNumber}
        label={place.registrationLabel}
        readOnly={readOnly}
        hint={place.registrationHint}
        {...(onRegistration !== undefined && { onInput: onRegistration })}
        {...codeLike}
      />
      <NoneTick field={fields.noRegistration} readOnly={readOnly}>
        {text("createAccount.noRegistration", { number: place.registrationInSentence })}
      </NoneTick>
      {place.isGst && (
        <Field
          field={fields.gst_code}
          label={text("createAccount.gstCode")}
          readOnly={readOnly}
          required={false}
          hint={text("createAccount.gstCodeHint")}
          {...codeLike}
        />
      )}
    </>
  );
}

/** A checkbox that leaves the field before it empty. */
function NoneTick({
  field,
  readOnly,
  children,
}: {
  field: FieldProps["field"];
  readOnly: boolean;
  children: string;
}) {
  const { id, name, initialValue } = field;
  const isTicked = initialValue === "on";
  if (readOnly) return isTicked ? <input type="hidden" name={name} value="on" /> : null;
  return (
    <label className="choice none">
      <input type="checkbox" id={id} name={name} defaultChecked={isTicked} />
      <span>{children}</span>
    </label>
  );
}

export function ContactFields({
  fields,
  place,
  readOnly = false,
  emailHint,
}: {
  fields: Fields<"firstName" | "lastName" | "noLastName" | "email" | "phoneNumber"> & {
    phoneCode: FieldMetadata<string>;
  };
  place: AddressRules;
  readOnly?: boolean;
  emailHint?: string;
}) {
  const text = useTranslate();
  return (
    <>
      <div className="row">
        <Field
          field={fields.firstName}
          label={text("createAccount.firstName")}
          readOnly={readOnly}
          autoComplete="given-name"
          autoCapitalize="words"
          enterKeyHint="next"
        />
        <Field
          field={fields.lastName}
          label={text("createAccount.lastName")}
          readOnly={readOnly}
          autoComplete="family-name"
          autoCapitalize="words"
          enterKeyHint="next"
        />
      </div>
      <div className="row none">
        <NoneTick field={fields.noLastName} readOnly={readOnly}>
          {text("createAccount.noLastName")}
        </NoneTick>
      </div>
      <Field
        field={fields.email}
        label={text("createAccount.email")}
        type="email"
        readOnly={readOnly}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        enterKeyHint="next"
        {...(emailHint !== undefined && { hint: emailHint })}
      />
      <div className="row phone">
        <SelectField
          field={fields.phoneCode}
          label={text("createAccount.countryCode")}
          options={place.phoneCodes}
          autoComplete="tel-country-code"
        />
        <Field
          field={fields.phoneNumber}
          label={text("createAccount.phoneNumber")}
          type="tel"
          readOnly={readOnly}
          autoComplete="tel-national"
          inputMode="tel"
          enterKeyHint="done"
          phone={place.phones}
          codeField={fields.phoneCode.id}
        />
      </div>
    </>
  );
}
