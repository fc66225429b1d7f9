/** `/desk/prices`: the price lists, and the import of a new one. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { maxReasonLength, sharedFields } from "#server/desk/actions/action.ts";
import { importPriceList } from "#server/desk/price-lists/import.ts";
import { priceListStatusLabels, priceListStatusOf } from "#server/desk/price-lists/labels.ts";
import { readPriceLists } from "#server/desk/price-lists/lists.ts";
import { listSources } from "#server/desk/price-lists/sources.ts";
import { startDayText } from "#server/desk/price-lists/view.ts";
import { stepUp } from "#server/desk/staff-sign-in.ts";
import { wrongField } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { FileField } from "../../forms/file-field.tsx";
import { SelectField } from "../../forms/select-field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskAction, deskLoader } from "../route-builders.ts";
import { stepUpMethodFor } from "../step-up.ts";
import { StepUpField } from "../step-up-field.tsx";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Prices");

/** Microsoft's price sheet for one country is about 42 MB. */
const maxFileBytes = 64 * 1024 * 1024;
const uploadWords = {
  tooLarge: "The file is too large. The maximum is 64 MB.",
};

export const loader = deskLoader("prices", z.unknown(), async (request) => {
  const { context, url } = request;
  const page = url.searchParams.get("page");
  const { lists, next } = await readPriceLists(context.db, page);
  const now = new Date();
  return {
    lists: lists.map((list) => ({
      id: list.id,
      href: paths.deskPriceList(list.id),
      source: list.source,
      from: startDayText(list),
      lines: list.lines,
      state: priceListStatusLabels[priceListStatusOf(list, now)],
      imported: { by: list.importedBy, at: timeView(list.importedAt) },
      decided: list.state === "waiting" ? null : { by: list.stateBy, at: timeView(list.stateAt) },
    })),
    first: page === null ? null : paths.deskPrices(),
    next: next === null ? null : paths.deskPrices({ page: next }),
    file: paths.deskPricesCsv(),
    sources: listSources(context).map(({ value, label }) => ({ value, label })),
    maxReasonLength,
    shownAgain: stepUpMethodFor(request),
  };
});

const schema = sharedFields.extend({
  source: z.string("Choose a list type.").max(60),
  from: z.string().trim().max(10, "Enter a date such as 2026-12-01.").default(""),
});

export const action = deskAction("prices", {
  params: z.unknown(),
  upload: { field: "file", maxBytes: maxFileBytes, words: uploadWords },
  schema,
  handler: async (request, _params, { source: chosen, from, reason, code, password }, file) => {
    const { context, desk } = request;
    const choice = listSources(context).find(({ value }) => value === chosen);
    if (choice === undefined) throw wrongField("source", "Choose a list type.");
    const source = choice.open(file);
    await stepUp(context, desk, { code, password });
    const { list, rows } = await importPriceList(context, {
      source,
      fromDay: from === "" ? null : from,
      by: desk.staff.email,
      staffId: desk.staff.id,
      reason,
      now: new Date(),
      dryRun: false,
    });
    const message = [
      `Price list ${list.id} saved as a draft.`,
      ...(rows === null ? [] : [rows]),
      "Nothing has changed yet. Review what it would change.",
    ].join(" ");
    return redirectWith(request, paths.deskPriceList(list.id), { type: "success", message });
  },
});

export default function Prices() {
  const {
    lists,
    first,
    next,
    file,
    sources,
    maxReasonLength: most,
    shownAgain,
  } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<"source" | "file" | "from" | "reason" | "code" | "password", string>>(
    { id: "import", lastResult: reply?.result ?? null },
  );
  const again = fields[shownAgain ?? "code"];
  return (
    <div className="page">
      <h1>Prices</h1>
      {lists.length === 0 ? (
        <EmptyState message="No price lists yet." />
      ) : (
        <ListTable
          label="Price lists"
          columns={[
            "List",
            { label: "File", holds: "words" },
            "Starts",
            { label: "Lines", holds: "amount" },
            "State",
            "Imported",
            "Decided",
          ]}
          rows={lists.map((list) => ({
            id: String(list.id),
            cells: [
              <a key="list" href={list.href}>
                Price list {list.id}
              </a>,
              <Breakable key="source">{list.source}</Breakable>,
              list.from,
              list.lines,
              list.state,
              <By key="imported" {...list.imported} />,
              list.decided === null ? "not yet" : <By key="decided" {...list.decided} />,
            ],
          }))}
        />
      )}
      <ListPaging first={first} next={next} />
      <section aria-labelledby="import-heading" className="desk-form">
        <h2 id="import-heading">Import a list</h2>
        <p>
          Imported lists are drafts and change nothing until you apply them. To create one,{" "}
          <a href={file}>download the prices in force</a> and edit it.
        </p>
        <Form method="post" encType="multipart/form-data" {...getFormProps(form)} noValidate>
          <ErrorSummary
            form={form}
            fields={[fields.source, fields.file, fields.from, fields.reason, again]}
          />
          <SelectField field={fields.source} label="List type" options={sources} />
          <FileField
            field={fields.file}
            label="File"
            hint="A CSV or JSON file, or a ZIP of it, up to 64 MB. If there's an error, choose the file again."
            accept=".csv,.json,.txt,text/csv,application/json,text/plain"
          />
          <Field
            field={fields.from}
            label="Start date"
            hint="For example 2026-12-01, in each country's time zone. Leave empty to start when applied; you then can't revert it."
            required={false}
            autoComplete="off"
            maxLength={10}
          />
          <Field
            field={fields.reason}
            label="Reason"
            hint="Kept in the audit log."
            maxLength={most}
            autoComplete="off"
          />
          <StepUpField shownAgain={shownAgain} field={again} />
          <p className="actions">
            <SubmitButton>Import as a draft</SubmitButton>
          </p>
        </Form>
      </section>
    </div>
  );
}

function By({ by, at }: { by: string; at: { iso: string; text: string } }) {
  return (
    <span className="stacked">
      <Breakable>{by}</Breakable>
      <small>
        <time dateTime={at.iso}>{at.text}</time>
      </small>
    </span>
  );
}
