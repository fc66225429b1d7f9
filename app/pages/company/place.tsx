/** `/company/places/{place}`: one of a company's places, changed by an owner, or a new one. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type AddressId, parseId } from "#db/ids.ts";
import { addPlace } from "#server/accounts/company.ts";
import { getAddress } from "#server/accounts/customers.ts";
import { requireKnown } from "#server/accounts/gst-lookup.ts";
import { notFound } from "#server/errors.ts";
import { addressIn } from "#server/orders/account.ts";
import { changePlaceWithDrafts } from "#server/orders/company.ts";
import { accountOf } from "#server/orders/existing-customer.ts";
import * as paths from "#server/paths.ts";
import { placeFormSchema } from "../../forms/account-schema.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { ContactFields, PlaceFields } from "../../forms/place-fields.tsx";
import { placeView } from "../../forms/place-view.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireSession } from "../../http/request-context.ts";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useText } from "../../ui/text.tsx";
import { asOwner, ownCompany } from "./own-company.ts";

export const meta = unindexedPage<{ title: string }>((data) => data?.title ?? "");

const params = z.object({ place: z.string().max(40) });

/** Null for a new one. @throws DomainError not_found for what is no id */
function placeIn(text: string): AddressId | null {
  const id = parseId<AddressId>(text);
  if (id === null && text !== "new") throw notFound("address");
  return id;
}

export const loader = pageLoader(params, async (request, { place: asked }) => {
  const { context, text, language } = request;
  const company = await ownCompany(request);
  if (company === null || company.role !== "owner") throw redirect(paths.company());
  const id = placeIn(asked);
  const saved = id === null ? null : await getAddress(context.db, company.id, id);
  const country = saved?.country ?? company.country;
  const { email, firstName, lastName, phone } = requireSession(request);
  const person = { email, firstName, lastName, phoneNumber: phone };
  return {
    title: text(id === null ? "company.newPlace" : "company.changePlace"),
    answers: { country, ...(saved === null ? person : accountOf(company, saved)) },
    ...placeView(country, language),
  };
});

export const action = formAction({
  params,
  schema: placeFormSchema,
  handler: async (request, { place: asked }, answers) => {
    const { context } = request;
    const owner = asOwner(request);
    const id = placeIn(asked);
    if (answers.gst_code !== null) await requireKnown(context, answers.gst_code, request.clientAddress);
    const fields = addressIn({ ...answers, companyName: "" });
    await context.db.transaction().execute(async (trx) => {
      if (id === null) await addPlace(trx, owner, fields);
      else await changePlaceWithDrafts(trx, context.env.sellers, owner, id, fields);
    });
    const message = request.text("company.placeSaved");
    return redirectWith(request, paths.company(), { type: "success", message });
  },
});

/** In screen order, which is also the order of the error summary. */
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

export default function CompanyPlace() {
  const { title, answers, place, states } = useLoaderData<typeof loader>();
  const text = useText();
  const [form, fields] = useForm<z.input<typeof placeFormSchema>>({
    id: "place",
    lastResult: useActionData<typeof action>()?.result ?? null,
    defaultValue: answers,
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={fieldNames.map((name) => fields[name])} />
        <PlaceFields fields={fields} place={place} states={states} country={answers.country} />
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
