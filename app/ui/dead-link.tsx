/**
 * The error page of an address with a mailed link. A truncated, used, expired or foreign link looks the same, and all answer
 * with the status of a missing page.
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
