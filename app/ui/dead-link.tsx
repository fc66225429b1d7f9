/**
 * The error page of an address with a mailed link. A truncated, used or expired link and another person's link all look the
 * same, and answer with the status of a missing page.
 */
import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { RouteErrorPage } from "./error-page.tsx";

export function DeadLinkPage({ children }: { children: ReactNode }) {
  const error = useRouteError();
  return isRouteErrorResponse(error) && error.status === 404 ? (
    <section className="page narrow">{children}</section>
  ) : (
    <RouteErrorPage />
  );
}
