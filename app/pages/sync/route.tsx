/** `/sync/cp`: a blank page for signed-in users. */
import { z } from "zod";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { unindexedPage } from "../../ui/head.ts";

export const meta = unindexedPage("Sync");

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  return null;
});

export default function Sync() {
  return <h1 className="visually-hidden">Sync</h1>;
}
