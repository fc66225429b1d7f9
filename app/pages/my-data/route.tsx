/** `/account/my-data`: exports the signed-in user's data, and deletes the account. */
import { useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { assertNever, notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { cancelDeletion, graceDays, requestDeletion } from "#server/privacy/delete.ts";
import { requestExport } from "#server/privacy/export.ts";
import { myDataSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { redirectWith, requireSession } from "../../http/request-context.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { useTranslate } from "../../ui/text.tsx";
import { myDataOf } from "./page-data.ts";
import { Consents, Deletion, Exports } from "./sections.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), myDataOf);

export const action = formAction({
  params: z.unknown(),
  schema: myDataSchema,
  handler: async (request, _params, value) => {
    const session = requireSession(request);
    const { userId, customer } = session;
    const { db } = request.context;
    const now = new Date();
    const done = (message: string) => redirectWith(request, paths.myData(), { type: "success", message });
    switch (value.intent) {
      case "export": {
        if (value.whose === "company" && customer === null) throw notFound("company");
        const customerId = value.whose === "company" ? (customer?.id ?? null) : null;
        await requestExport(db, { userId, customerId, now });
        return done(request.text("myData.exportAsked"));
      }
      case "delete": {
        await requestDeletion(request.context, session, value, now);
        const due = new Date(now.getTime() + graceDays * 86_400_000);
        const date = formatDate(due, customer?.country ?? standardCountry, request.language);
        return done(request.text("myData.deleteAsked", { date }));
      }
      case "keep":
        await db.transaction().execute((trx) => cancelDeletion(trx, userId));
        return done(request.text("myData.kept"));
      default:
        return assertNever(value);
    }
  },
});

export default function MyData() {
  const data = useLoaderData<typeof loader>();
  const text = useTranslate();
  const result = useActionData<typeof action>()?.result ?? null;
  const isDeletion = result?.initialValue?.intent === "delete";
  const [others] = useForm({ id: "my-data", lastResult: isDeletion ? null : result });
  return (
    <div className="page">
      <h1>{data.title}</h1>
      <p className="lead">{text("myData.lead")}</p>
      <ErrorSummary form={others} fields={[]} />
      {data.isProven ? (
        <>
          <Exports data={data} />
          <Consents consents={data.consents} />
          <Deletion data={data} lastResult={isDeletion ? result : null} />
        </>
      ) : (
        <Callout type="info">
          <p>
            {text("myData.proveFirst")} <a href={paths.account()}>{text("account.title")}</a>
          </p>
        </Callout>
      )}
    </div>
  );
}
