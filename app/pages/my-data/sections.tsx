/** The parts of a person's data page: exports, consents and deletion. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Callout } from "../../ui/callout.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ReauthFields } from "../account/reauth-fields.tsx";
import type { MyDataView } from "./page-data.ts";

export function Exports({ data }: { data: MyDataView }) {
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

export function Consents({ consents }: Pick<MyDataView, "consents">) {
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

export function Deletion({
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
