/** `/orders/{id}/references`: the buyer's purchase order, cost centre and note, until the order's invoice is issued. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayChangeReferences } from "#server/documents/references.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { referenceFields } from "#server/orders/references.ts";
import * as paths from "#server/paths.ts";
import { hasOpenProforma } from "#server/payments/bank-transfer/state.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith } from "../../http/request-context.ts";
import { currentPath, openOrder } from "../../journey/guard.ts";
import { keepReferences, referencesForm } from "../../journey/references-data.ts";
import { ReferenceFields, type ReferenceTexts } from "../../journey/references-fields.tsx";
import { orderIdParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useText } from "../../ui/text.tsx";

export const meta = unindexedPage<{ title: string }>((data) => data?.title ?? "");

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const { context, text } = request;
  const order = await openOrder(request, params);
  if (isRefunded(order)) throw redirect(currentPath(order));
  const isInvoiced = !(await mayChangeReferences(context.db, order));
  return {
    title: text("references.title"),
    order: `${orderNumber(order)}, ${order.line.name}`,
    until: [
      text(isPaid(order) ? "references.beforeInvoice" : "references.until"),
      ...((await hasOpenProforma(context.db, order)) ? [text("references.onProforma")] : []),
    ],
    form: referencesForm(order),
    invoice: isInvoiced ? { href: paths.invoice(order.id), label: text("orders.invoice") } : null,
    back: currentPath(order),
  };
});

export const action = formAction({
  params: orderIdParams,
  schema: z.object(referenceFields),
  handler: async (request, params, references) => {
    const order = await openOrder(request, params);
    await keepReferences(request, order.id, references);
    const message = request.text("references.saved");
    return redirectWith(request, currentPath(order), { type: "success", message });
  },
});

export default function References() {
  const { title, order, until, form: shown, invoice, back } = useLoaderData<typeof loader>();
  const text = useText();
  const [form, fields] = useForm<ReferenceTexts>({
    id: "references",
    lastResult: useActionData<typeof action>()?.result ?? null,
    defaultValue: shown.given,
  });
  if (invoice !== null) {
    return (
      <section className="page narrow">
        <h1>{title}</h1>
        <p className="lead">{order}</p>
        <Callout type="info">
          <p>{text("references.invoiced")}</p>
        </Callout>
        <p className="actions">
          <a href={invoice.href}>{invoice.label}</a> <a href={back}>{text("references.back")}</a>
        </p>
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
