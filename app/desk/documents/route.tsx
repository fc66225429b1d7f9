/** `/desk/documents`: invoices, credit notes and proformas, their registration states, and their PDFs as a zip. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { everyDocument } from "#server/desk/actions/subjects.ts";
import { countForZip, documentsList } from "#server/desk/lists/documents.ts";
import * as paths from "#server/foundation/paths.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { ListPage } from "../list-page.tsx";
import { listView } from "../list-view.ts";
import { deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Documents");

export const loader = deskLoader("documents", z.unknown(), async (request) => {
  const { context, url, desk } = request;
  const list = await listView(documentsList, request, {
    page: paths.deskDocuments,
    file: paths.deskDocumentsCsv,
  });
  const acts = await possibleActs(context, desk.staff.role, "documents", everyDocument);
  return {
    list,
    count: await countForZip(context.db, url.searchParams),
    zip: paths.deskDocumentsZip(documentsList.kept(url.searchParams)),
    gstr1: paths.deskGstr1(),
    acts: acts.map(({ id, label }) => ({ label, href: paths.deskActionForm(id, everyDocument) })),
  };
});

export default function Documents() {
  const { list, count, zip, gstr1, acts } = useLoaderData<typeof loader>();
  return (
    <ListPage list={list} above={<ActionLinks acts={acts} />}>
      {count === null ? (
        <span>PDFs as a ZIP: narrow the list to 1,000 documents</span>
      ) : (
        count > 0 && (
          <a href={zip}>
            {`Download the ${count === 1 ? "PDF of 1 document" : `PDFs of ${count} documents`} as a ZIP`}
          </a>
        )
      )}
      <a href={gstr1}>GSTR-1 by month</a>
    </ListPage>
  );
}
