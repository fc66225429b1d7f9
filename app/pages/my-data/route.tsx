/** `/account/my-data`: what is stored of the signed-in user, to take along, and the deletion of the account. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
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
import { DateText } from "../../ui/date-text.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ReauthFields } from "../account/reauth-fields.tsx";
import { type MyDataView, myDataOf } from "./page-data.ts";

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

function Exports({ data }: { data: MyDataView }) {
  const text = useTranslate();
  const { exports, exportAbout, company } = data;
  return (
    <section aria-labelledby="export-title">
      <h2 id="export-title">{text("myData.export")}</h2>
      <p>{exportAbout}</p>
      <div className="actions">
        <ExportForm whose="own" label={text("myData.exportOwn")} />
        {company !== null && <ExportForm whose="company" label={company} />}
      </div>
      {exports.length > 0 && (
        <ListTable
          label={text("myData.exports")}
          columns={[text("myData.of"), text("myData.asked"), { label: text("myData.state"), holds: "acts" }]}
          rows={exports.map(({ id, of, requestedAt, progress, until, href }) => ({
            id,
            cells: [
              of,
              <DateText key="asked" {...requestedAt} />,
              <div key="state">
                {progress !== null && (
                  <span role="status">
                    <progress aria-label={text("myData.making")} value={progress.percent} max={100} />{" "}
                    {progress.words}
                    <span className="hint">{text("myData.keepsGoing")}</span>
                  </span>
                )}
                {href !== null && (
                  <>
                    <a className="button quiet" href={href}>
                      {text("myData.download")}
                    </a>{" "}
                    <span className="hint">{until}</span>
                  </>
                )}
              </div>,
            ],
          }))}
        />
      )}
    </section>
  );
}

function ExportForm({ whose, label }: { whose: "own" | "company"; label: string }) {
  return (
    <form method="post">
      <input type="hidden" name="intent" value="export" />
      <input type="hidden" name="whose" value={whose} />
      <SubmitButton variant="quiet">{label}</SubmitButton>
    </form>
  );
}

function Consents({ consents }: Pick<MyDataView, "consents">) {
  const text = useTranslate();
  return (
    <section aria-labelledby="consents-title">
      <h2 id="consents-title">{text("myData.consents")}</h2>
      {consents.length === 0 ? (
        <p>{text("myData.noConsents")}</p>
      ) : (
        <ListTable
          label={text("myData.consents")}
          columns={[
            text("myData.consentText"),
            text("myData.consentVersion"),
            text("myData.consentWhen"),
            text("myData.consentWhere"),
          ]}
          rows={consents.map(({ id, of, version, accepted, network }) => ({
            id,
            cells: [
              of,
              <code key="version">{version}</code>,
              <DateText key="accepted" {...accepted} />,
              network,
            ],
          }))}
        />
      )}
    </section>
  );
}

function Deletion({
  data: { grace, pending, inTheWay, canConfirm, codes },
  lastResult,
}: {
  data: MyDataView;
  lastResult: SubmissionResult<string[]> | null;
}) {
  const text = useTranslate();
  const [form, fields] = useForm<{ currentPassword: string; code: string }>({
    id: "delete-account",
    lastResult,
  });
  return (
    <section aria-labelledby="delete-title">
      <h2 id="delete-title">{text("myData.delete")}</h2>
      {pending === null ? (
        <>
          <p>{text("myData.deleteAbout")}</p>
          <p>{text("myData.keptAbout")}</p>
          <ul>
            <li>{text("myData.keptDocuments")}</li>
            <li>{text("myData.keptMoney")}</li>
          </ul>
          <p>{grace}</p>
        </>
      ) : (
        <Callout type="due">
          <p>{pending}</p>
          <form method="post">
            <input type="hidden" name="intent" value="keep" />
            <SubmitButton>{text("myData.keep")}</SubmitButton>
          </form>
        </Callout>
      )}
      {pending === null && inTheWay.length > 0 && (
        <Callout type="info">
          <p>{text("myData.inTheWay")}</p>
          <ul>
            {inTheWay.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Callout>
      )}
      {pending === null && inTheWay.length === 0 && canConfirm && (
        <div className="narrow-form">
          <form method="post" {...getFormProps(form)} noValidate>
            <input type="hidden" name="intent" value="delete" />
            <ErrorSummary form={form} fields={[fields.currentPassword, fields.code]} />
            <ReauthFields fields={fields} proof="password" codes={codes} />
            <SubmitButton variant="danger">{text("myData.deleteNow")}</SubmitButton>
          </form>
        </div>
      )}
      {pending === null && !canConfirm && (
        <p>
          <Rich
            text={text("myData.noPassword")}
            parts={{ link: (inner) => <a href={paths.changePassword()}>{inner}</a> }}
          />
        </p>
      )}
    </section>
  );
}
