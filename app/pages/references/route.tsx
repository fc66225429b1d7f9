/**
 * `/orders/{id}/references`: the buyer's purchase order, cost centre and note. They can be edited until the order's invoice is
 * issued; after that the form requests a corrected invoice.
 */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { correctInvoice } from "#server/billing/documents/correct.ts";
import { findInvoice } from "#server/billing/documents/issue.ts";
import { mayChangeReferences } from "#server/billing/documents/references.ts";
import { hasOpenProforma } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { pickReferences, referenceFields } from "#server/orders/references.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith } from "../../http/request-context.ts";
import { currentPath, openOrder, requesterOf } from "../../journey/guard.ts";
import { referencesForm, saveReferences } from "../../journey/references-data.ts";
import { ReferenceFields } from "../../journey/references-fields.tsx";
import { orderIdParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { Correction, type CorrectionTexts } from "./correction.tsx";
import { correctionView } from "./correction-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const { context, text } = request;
  const order = await openOrder(request, params);
  if (isRefunded(order)) throw redirect(currentPath(order));
  const invoice = (await mayChangeReferences(context.db, order))
    ? null
    : await findInvoice(context.db, order.id);
  return {
    title: text(invoice === null ? "references.title" : "corrections.title"),
    order: `${orderNumber(order)}, ${order.line.name}`,
    until: [
      text(isPaid(order) ? "references.beforeInvoice" : "references.until"),
      ...((await hasOpenProforma(context.db, order)) ? [text("references.onProforma")] : []),
    ],
    form: referencesForm(order),
    correction: invoice === null ? null : await correctionView(request, order, invoice),
    back: currentPath(order),
  };
});

const schema = z.object({
  ...referenceFields,
  /** Number of the invoice that was shown in the form for a corrected invoice. */
  invoice: z.string().max(16).optional(),
  /** New place to bill to; empty where the recipient stays. */
  place: z.string().max(40).optional(),
});

export const action = formAction({
  params: orderIdParams,
  schema,
  handler: async (request, params, { invoice, place = "", ...answers }) => {
    const { context, text } = request;
    const order = await openOrder(request, params);
    if (invoice === undefined) {
      await saveReferences(request, order.id, answers);
      const message = text("references.saved");
      return redirectWith(request, currentPath(order), { type: "success", message });
    }
    if (await mayChangeReferences(context.db, order))
      throw new DomainError("conflict", msg("corrections.none"));
    const wish = { invoice, references: pickReferences(answers), place: place === "" ? null : place };
    const ask = { orderId: order.id, requester: requesterOf(request), request: wish, now: new Date() };
    const { number } = await context.db.transaction().execute((trx) => correctInvoice(trx, context.env, ask));
    const message = text("corrections.done", { number, former: invoice });
    return redirectWith(request, paths.invoice(order.id), { type: "success", message });
  },
});

export default function References() {
  const { title, order, until, form: shown, correction, back } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const [form, fields] = useForm<CorrectionTexts>({
    id: "references",
    lastResult: useActionData<typeof action>()?.result ?? null,
    defaultValue: { ...shown.given, place: "" },
  });
  if (correction !== null) {
    return (
      <section className="page narrow">
        <h1>{title}</h1>
        <p className="lead">{order}</p>
        {correction.form === null ? (
          <>
            <Callout type="info">
              <p>{correction.refusal}</p>
            </Callout>
            <p className="actions">
              <a href={correction.link.href}>{correction.link.label}</a>{" "}
              <a href={back}>{text("references.back")}</a>
            </p>
          </>
        ) : (
          <>
            <p>
              {correction.form.lead} <a href={correction.link.href}>{correction.link.label}</a>
            </p>
            <Correction
              form={form}
              fields={fields}
              shown={correction.form}
              longest={shown.longest}
              back={back}
            />
          </>
        )}
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{order}</p>
      <p>
        {text("review.referencesWhy")} {until.join(" ")}
      </p>
      <Form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[fields.purchaseOrder, fields.costCentre, fields.note]} />
        <ReferenceFields fields={fields} longest={shown.longest} />
        <p className="actions">
          <SubmitButton>{text("references.save")}</SubmitButton> <a href={back}>{text("references.back")}</a>
        </p>
      </Form>
    </section>
  );
}
