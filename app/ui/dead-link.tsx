/**
 * The error page of an address with a mailed link. A truncated, used or expired link and another person's link all look the
 * same, and answer with the status of a missing page.
 */
import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { errorDataIn, RouteErrorPage } from "./error-page.tsx";
import { type MetaArguments, noindexMeta } from "./head.ts";

/** The head of a page behind a mailed link. A dead link's title is what its refusal says. */
export function mailedLinkHead(given: MetaArguments<{ title: string }> & { error?: unknown }) {
  return noindexMeta<{ title: string }>((data) => data?.title ?? errorDataIn(given.error)?.message ?? "")(
    given,
  );
}

export function DeadLinkPage({ children }: { children: ReactNode }) {
  const error = useRouteError();
  return isRouteErrorResponse(error) && error.status === 404 ? (
    <section className="page narrow">{children}</section>
  ) : (
    <RouteErrorPage />
  );
}
