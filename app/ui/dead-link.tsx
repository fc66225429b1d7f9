/**
 * For an address that holds a mailed link: what to do when that opens nothing, be it cut off, used, over or another person's. All of
 * them look the same, and the status is that of any page that is not there.
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
