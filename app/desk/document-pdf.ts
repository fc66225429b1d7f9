/** `/desk/documents/{number}/pdf`: a document as its buyer has it, to keep. */
import { redirect } from "@remix-run/node";
import { readDocument } from "#server/desk/document.ts";
import * as paths from "#server/paths.ts";
import { pdfAnswer } from "../http/pdf-answer.ts";
import { deskFile } from "./door.ts";

export const loader = deskFile("documentPdf", async ({ context }, { number = "" }) => {
  const { view, notHandedOut, issuedAt } = await readDocument(context.db, number);
  // What is not registered yet is nothing to hand out: the page says so.
  if (view === null || notHandedOut !== null) return redirect(paths.deskDocument(number), 303);
  return pdfAnswer(view, issuedAt);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
