/** `/company/places/{place}`: an owner's form for one of the company's places, existing or new. */

import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type AddressId, parseId } from "#db/ids.ts";
import { addBillingAddress } from "#server/accounts/company-profile.ts";
import { getAddress } from "#server/accounts/customers.ts";
import { requireActiveGstin } from "#server/accounts/gst-lookup.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { addressOfAnswers } from "#server/orders/account-answers.ts";
import { updateAddressAndDrafts } from "#server/orders/company-drafts.ts";
import { accountOf } from "#server/orders/existing-customer.ts";
import { billingAddressFormSchema } from "../../forms/account-schema.ts";
import { AddressFieldset, ContactFields } from "../../forms/address-fields.tsx";
import { addressRulesOf, ticksOf } from "../../forms/address-rules.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireSession } from "../../http/request-context.ts";
import { safeReturnPath } from "../../http/return-path.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { currentCompany, requireOwner } from "./current-company.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

const params = z.object({ place: z.string().max(40) });

/** Null for a new place. @throws DomainError not_found for an invalid id */
function placeIn(text: string): AddressId | null {
  const id = parseId<AddressId>(text);
  if (id === null && text !== "new") throw notFound("address");
  return id;
}

export const loader = pageLoader(params, async (request, { place: requested }) => {
  const { context, text, language } = request;
  const company = await currentCompany(request);
  if (company === null || company.role !== "owner") throw redirect(paths.company());
  const id = placeIn(requested);
  const saved = id === null ? null : await getAddress(context.db, company.id, id);
  const country = saved?.country ?? company.country;
  const { email, firstName, lastName, phone } = requireSession(request);
  const person = { email, firstName, lastName, phoneNumber: phone };
  const answers = saved === null ? person : accountOf(company, saved);
  return {
    title: text(id === null ? "company.newPlace" : "company.changePlace"),
    answers: { country, ...answers, ...ticksOf(answers) },
    ...addressRulesOf(country, language),
  };
});

export const action = formAction({
  params,
  schema: billingAddressFormSchema,
  handler: async (request, { place: requested }, answers) => {
    const { context } = request;
    const owner = requireOwner(request);
    const id = placeIn(requested);
    if (answers.gst_code !== null) await requireActiveGstin(context, answers.gst_code, request.clientAddress);
    const fields = addressOfAnswers({ ...answers, companyName: "" });
    await context.db.transaction().execute(async (trx) => {
      if (id === null) await addBillingAddress(trx, owner, fields);
      else await updateAddressAndDrafts(trx, context.env.sellers, owner, id, fields);
    });
    const message = request.text("company.placeSaved");
    const next = safeReturnPath(request.url.searchParams.get("next"), paths.company());
    return redirectWith(request, next, { type: "success", message });
  },
});

/** Field names in screen order, which is also the order of the error summary. */
const fieldNames = [
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

export default function CompanyBillingAddress() {
  const { title, answers, place, states } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const [form, fields] = useForm<z.input<typeof billingAddressFormSchema>>({
    id: "place",
    lastResult: useActionData<typeof action>()?.result ?? null,
    defaultValue: answers,
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={fieldNames.map((name) => fields[name])} />
        <AddressFieldset fields={fields} place={place} states={states} country={answers.country} />
        <h2>{text("createAccount.contact")}</h2>
        <ContactFields fields={fields} place={place} />
        <p className="actions">
          <SubmitButton>{text("company.save")}</SubmitButton>{" "}
          <a href={paths.company()}>{text("company.back")}</a>
        </p>
      </Form>
    </section>
  );
}
