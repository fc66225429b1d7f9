/** `/desk/prices`: the price lists there are, and the import of another one. */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { longestReason, sharedFields } from "#server/desk/acts/act.ts";
import { stepUp } from "#server/desk/sign-in.ts";
import { wrongField } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { importPriceList } from "#server/price-lists/import.ts";
import { readPriceLists } from "#server/price-lists/lists.ts";
import { listSources } from "#server/price-lists/sources.ts";
import { fromDayWords } from "#server/price-lists/view.ts";
import { standingOf, standingWords } from "#server/price-lists/words.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { FileField } from "../../forms/file-field.tsx";
import { SelectField } from "../../forms/select-field.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Empty } from "../../ui/empty.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { deskAction, deskLoader } from "../door.ts";
import { deskHandle } from "../handle.ts";
import { More } from "../more.tsx";
import { shownAgainTo } from "../step-up.ts";
import { StepUpField } from "../step-up-field.tsx";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Prices");

/** Microsoft's price sheet of a country has some 42 MB. */
const mostBytes = 64 * 1024 * 1024;
const uploadWords = {
  tooLarge: "The file is too large: at most 64 MB.",
  noText:
    "The file is no text in UTF-8. Save a spreadsheet as CSV (UTF-8), and unpack a file that was downloaded as a zip.",
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
      from: fromDayWords(list),
      lines: list.lines,
      state: standingWords[standingOf(list, now)],
      imported: { by: list.importedBy, at: timeView(list.importedAt) },
      decided: list.state === "waiting" ? null : { by: list.stateBy, at: timeView(list.stateAt) },
    })),
    first: page === null ? null : paths.deskPrices(),
    next: next === null ? null : paths.deskPrices({ page: next }),
    file: paths.deskPricesFile(),
    sources: listSources(context).map(({ value, label }) => ({ value, label })),
    longestReason,
    shownAgain: shownAgainTo(request),
  };
});

const schema = sharedFields.extend({
  source: z.string("Choose what the list is.").max(60),
  from: z.string().trim().max(10, "A day is written as 2026-12-01.").default(""),
});

export const action = deskAction("prices", {
  params: z.unknown(),
  upload: { field: "file", mostBytes, words: uploadWords },
  schema,
  handler: async (request, _params, { source: chosen, from, reason, code, password }, file) => {
    const { context, desk } = request;
    const choice = listSources(context).find(({ value }) => value === chosen);
    if (choice === undefined) throw wrongField("source", "Choose what the list is.");
    const source = choice.open(file);
    await stepUp(context, desk, { code, password });
    const { list } = await importPriceList(context, {
      source,
      fromDay: from === "" ? null : from,
      by: desk.staff.email,
      staffId: desk.staff.id,
      reason,
      now: new Date(),
      dryRun: false,
    });
    const message = `Price list ${list.id} is a draft: nothing has changed yet. See what it would change.`;
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
    longestReason: most,
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
        <Empty message="No price list was imported yet." />
      ) : (
        <ListTable
          label="Price lists"
          columns={[
            "List",
            { label: "File", holds: "words" },
            "Begins",
            "Lines",
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
      <More first={first} next={next} />
      <section aria-labelledby="import-heading" className="desk-form">
        <h2 id="import-heading">Import a list</h2>
        <p>
          An imported list is a draft. It changes nothing until it is applied. To make one,{" "}
          <a href={file}>download the prices in force</a>, and change what is to change.
        </p>
        <Form method="post" encType="multipart/form-data" {...getFormProps(form)} noValidate>
          <ErrorSummary
            form={form}
            fields={[fields.source, fields.file, fields.from, fields.reason, again]}
          />
          <SelectField field={fields.source} label="What it is" options={sources} />
          <FileField
            field={fields.file}
            label="File"
            hint="Text in UTF-8, at most 64 MB. To be chosen again after an error."
            accept=".csv,.json,.txt,text/csv,application/json,text/plain"
          />
          <Field
            field={fields.from}
            label="Begins on"
            hint="Such as 2026-12-01, by each country's own clock. Empty: when the list is applied, and then it cannot be taken back."
            required={false}
            autoComplete="off"
            maxLength={10}
          />
          <Field
            field={fields.reason}
            label="Reason"
            hint="Stays in the audit log."
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
