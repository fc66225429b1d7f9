/** `/desk/documents.csv`: the documents as a file, with the filter of their page. */
import { documentsList } from "#server/desk/lists/documents.ts";
import { listFile } from "./list-view.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("documentsFile", (request) => listFile(documentsList, request));

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
