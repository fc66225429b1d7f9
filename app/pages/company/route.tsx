/** `/company`: the company's details. All members see them, and owners change them. */
import { useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { addBillingContact, removeBillingContact } from "#server/accounts/billing-contacts.ts";
import {
  changeTaxDetails,
  makeDefaultBillingAddress,
  removeBillingAddress,
  taxDetailsOf,
} from "#server/accounts/company-profile.ts";
import { listAddresses } from "#server/accounts/customers.ts";
import { listEarlierIdentities } from "#server/billing/documents/earlier-invoice-identity.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { renameWithDrafts } from "#server/orders/company-drafts.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";
import { NoCompany } from "../members/no-company.tsx";
import { billingAddressesView, taxView } from "./billing-addresses-data.ts";
import { companySchema } from "./company-schema.ts";
import { Contacts } from "./contacts.tsx";
import { contactsView } from "./contacts-data.ts";
import { currentCompany, requireOwner } from "./current-company.ts";
import { BillingAddresses, EarlierInvoices, NameForm, TaxForm } from "./views.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text, context } = request;
  const title = text("company.title");
  const company = await currentCompany(request);
  if (company === null) return { title, company: null };
  const { id, name, role, country } = company;
  const places = await listAddresses(context.db, id);
  const earlier = await listEarlierIdentities(context.db, { id, name, places });
  return {
    title,
    company: {
      name,
      isOwner: role === "owner",
      contacts: await contactsView(request, company),
      places: await billingAddressesView(request, company, places),
      tax: taxView(request, country, await taxDetailsOf(context.db, id)),
      earlier: earlier.map(({ lines, gstin, invoices, newest }) => ({
        newest,
        says: text("company.documentsSay", { count: invoices, newest }),
        lines: gstin === null ? lines : [...lines, text("invoice.gstin", { gstin })],
      })),
    },
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: companySchema,
  handler: async (request, _params, value) => {
    const { context, text } = request;
    const owner = requireOwner(request);
    const done = (message: string) => redirectWith(request, paths.company(), { type: "success", message });
    const inTransaction = context.db.transaction();
    switch (value.intent) {
      case "name":
        await inTransaction.execute((trx) => renameWithDrafts(trx, context.env.sellers, owner, value.name));
        return done(text("company.nameSaved"));
      case "make-default":
        await inTransaction.execute((trx) => makeDefaultBillingAddress(trx, owner, value.place, new Date()));
        return done(text("company.madeStandard"));
      case "remove":
        await inTransaction.execute((trx) => removeBillingAddress(trx, owner, value.place));
        return done(text("company.removed"));
      case "add-contact": {
        const { intent: _, ...input } = value;
        const { language } = request;
        const isRequested = await addBillingContact(context.db, owner, { ...input, language });
        return done(text(isRequested ? "billing.questionSent" : "billing.changed", { email: input.email }));
      }
      case "remove-contact": {
        const { email } = await inTransaction.execute((trx) =>
          removeBillingContact(trx, owner, value.contact),
        );
        return done(text("billing.removed", { email }));
      }
      case "tax": {
        const { intent: _, ...details } = value;
        await inTransaction.execute((trx) => changeTaxDetails(trx, owner, details, context.env.TDS_RATES));
        return done(text("company.taxSaved"));
      }
      default:
        return assertNever(value);
    }
  },
});

export default function Company() {
  const { title, company } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const result = useActionData<typeof action>()?.result ?? null;
  const replyTo = (intent: string) => (result?.initialValue?.intent === intent ? result : null);
  // A refusal of a place's button has no field.
  const [places] = useForm({ id: "places", lastResult: replyTo("remove") ?? replyTo("make-default") });
  if (company === null) return <NoCompany title={title} />;
  const { name, isOwner } = company;
  return (
    <div className="page">
      <h1>{name}</h1>
      <ErrorSummary form={places} fields={[]} />
      <p>{text(isOwner ? "company.intro" : "company.ownersOnly")}</p>
      {isOwner && <NameForm name={name} lastResult={replyTo("name")} />}
      <BillingAddresses places={company.places} isOwner={isOwner} />
      {company.tax !== null && <TaxForm tax={company.tax} isOwner={isOwner} lastResult={replyTo("tax")} />}
      <Contacts contacts={company.contacts} isOwner={isOwner} lastResult={replyTo("add-contact")} />
      {company.earlier.length > 0 && <EarlierInvoices earlier={company.earlier} />}
      <p>
        <a href={paths.members()}>{text("members.title")}</a>
      </p>
    </div>
  );
}
