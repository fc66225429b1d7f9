/**
 * `/orders/{id}/refused-document?number=`: the problems of an invoice or credit note that the tax office refused, and the form
 * that corrects it.
 */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { correctRefused, mayCorrectRefused } from "#server/billing/documents/correct-refused.ts";
import { findCreditNoteByNumber } from "#server/billing/documents/credit-note.ts";
import { findRefused, isNumberLost } from "#server/billing/documents/refused.ts";
import { isAbroad, recipientDetails } from "#server/billing/documents/refused-facts.ts";
import { explainRefusal } from "#server/foundation/countries/portal-refusals.ts";
import { notFound } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { addressRulesOf } from "../../forms/address-rules.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { required } from "../../forms/schemas.ts";
import { SelectField } from "../../forms/select-field.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, redirectWith } from "../../http/request-context.ts";
import { openOrder, requesterOf } from "../../journey/guard.ts";
import { orderIdParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

const optional = z.string().trim().max(200).default("");
const schema = z.object({
  companyName: required("createAccount.companyName"),
  legalName: optional,
  tradeName: optional,
  gst_code: optional,
  addressLine1: required("createAccount.addressLine1"),
  addressLine2: optional,
  city: required("createAccount.city"),
  state: required("createAccount.state"),
  pincode: optional,
  revision: z.coerce.number().int().min(0),
});

const numberAsked = ({ url }: RequestContext) => (url.searchParams.get("number") ?? "").slice(0, 16);

/** The page of a readable document, including one that is no longer refused. */
async function documentPath({ context }: RequestContext, orderId: string, number: string): Promise<string> {
  const note = number.includes("\0") ? null : await findCreditNoteByNumber(context.db, number);
  return note === null ? paths.invoice(orderId) : paths.creditNote(note.id);
}

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const { context, text, language } = request;
  const order = await openOrder(request, params);
  if (!mayCorrectRefused(order, requesterOf(request))) throw notFound();
  const number = numberAsked(request);
  const back = await documentPath(request, order.id, number);
  const refused = number.includes("\0") ? null : await findRefused(context.db, number);
  if (refused === null || refused.orderId !== order.id)
    return { title: text("refusedDocuments.title", { number }), back, shown: null };
  const problem = translate(language, explainRefusal(refused.eInvoice));
  return {
    title: text("refusedDocuments.title", { number }),
    back,
    shown: {
      problem: text("refusedDocuments.problem", { number, problem }),
      happens: [
        text("refusedDocuments.happens"),
        ...(isNumberLost(refused, new Date()) ? [text("refusedDocuments.newNumber", { number })] : []),
      ],
      details: { ...recipientDetails(refused.facts), revision: String(refused.eInvoice.revision) },
      isAbroad: isAbroad(refused.base),
      ...addressRulesOf(refused.base.country, language),
    },
  };
});

export const action = formAction({
  params: orderIdParams,
  schema,
  handler: async (request, params, { revision, ...details }) => {
    const { context, text, clientAddress } = request;
    const order = await openOrder(request, params);
    const requester = requesterOf(request);
    const former = numberAsked(request);
    if (former.includes("\0") || !mayCorrectRefused(order, requester)) throw notFound();
    const ask = { number: former, revision, details, by: { requester }, clientAddress, now: new Date() };
    const { number, isRegistering } = await correctRefused(context, ask);
    const message =
      number !== former
        ? text("refusedDocuments.replaced", { number, former })
        : text(isRegistering ? "refusedDocuments.done" : "refusedDocuments.doneWithoutRegistration", {
            number,
          });
    const path = await documentPath(request, order.id, number);
    return redirectWith(request, path, { type: "success", message });
  },
});

/** Names in screen order, which is also the order of the error summary. */
const addressNames = ["addressLine1", "addressLine2", "city", "state", "pincode"] as const;
const nameFields = ["gst_code", "legalName", "tradeName"] as const;

type Shown = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["shown"]>;

export default function RefusedDocument() {
  const { title, back, shown } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const result = useActionData<typeof action>()?.result;
  if (shown !== null) return <CorrectionForm title={title} back={back} shown={shown} />;
  const refusal = result?.error?.[""]?.join(" ") ?? text("refusedDocuments.notRefused");
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Callout type="info">
        <p>{refusal}</p>
      </Callout>
      <p>
        <a href={back}>{text("refusedDocuments.open")}</a>
      </p>
    </section>
  );
}

function CorrectionForm({ title, back, shown }: { title: string; back: string; shown: Shown }) {
  const { problem, happens, details, isAbroad, states, place } = shown;
  const text = useTranslate();
  const [form, fields] = useForm<Record<keyof typeof details, string>>({
    id: "refused-document",
    lastResult: useActionData<typeof action>()?.result ?? null,
    defaultValue: details,
  });
  const { revision } = fields;
  const names = ["companyName", ...(isAbroad ? [] : nameFields), ...addressNames] as const;
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Callout type="error">
        <p>{problem}</p>
      </Callout>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={names.map((name) => fields[name])} />
        <input type="hidden" name={revision.name} defaultValue={revision.initialValue} />
        <Field field={fields.companyName} label={text("refusedDocuments.printedName")} />
        {!isAbroad && (
          <>
            <Field
              field={fields.gst_code}
              label={text("refusedDocuments.gstin")}
              hint={text("refusedDocuments.gstinHint")}
              required={false}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
            <Field
              field={fields.legalName}
              label={text("refusedDocuments.legalNameLabel")}
              hint={text("refusedDocuments.namesHint")}
              required={false}
              autoComplete="off"
            />
            <Field
              field={fields.tradeName}
              label={text("refusedDocuments.tradeNameLabel")}
              required={false}
              autoComplete="off"
            />
          </>
        )}
        <Field field={fields.addressLine1} label={text("createAccount.addressLine1")} />
        <Field field={fields.addressLine2} label={text("createAccount.addressLine2")} required={false} />
        <Field field={fields.city} label={text("createAccount.city")} />
        <SelectField
          field={fields.state}
          label={text("createAccount.state")}
          options={states}
          unchosen={text("createAccount.chooseState")}
        />
        <Field field={fields.pincode} label={place.postcodeLabel} />
        {happens.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="actions">
          <SubmitButton>{text("refusedDocuments.button")}</SubmitButton>{" "}
          <a href={back}>{text("refusedDocuments.back")}</a>
        </p>
      </Form>
    </section>
  );
}
