/** Any URL that no route matches. */
import { z } from "zod";
import { notFound } from "#server/foundation/errors.ts";
import { pageLoader } from "../../http/page.ts";
import { RouteErrorPage } from "../../ui/error-page.tsx";
import { errorMeta } from "../../ui/head.ts";

export const loader = pageLoader(z.unknown(), async () => {
  throw notFound();
});

export const meta = errorMeta;

export default function NotFound() {
  return null;
}

export function ErrorBoundary() {
  return <RouteErrorPage unmatched />;
}
