/**
 * What is shown in place of a page that cannot be: what happened in plain words, a way on, and the request's id for whoever
 * asks about it. Refusals come from the route builders (http/page.ts); anything else is a fault of ours, in the specification's words.
 */
import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import * as paths from "#server/paths.ts";
import { useBrand } from "./brand.ts";

/** The specification's heading for a fault of ours and for an address that no route has. */
const unexpected = "Unexpected Application Error!";

/** The page for whatever the route has thrown. */
export function RouteErrorPage({ unmatched }: Pick<ErrorPageProps, "unmatched">) {
  const { pathname, search } = useLocation();
  return (
    <ErrorPage
      error={useRouteError()}
      here={`${pathname}${search}`}
      supportUrl={useBrand()?.supportUrl ?? null}
      unmatched={unmatched}
    />
  );
}

export interface ErrorPageProps {
  error: unknown;
  /** The address to try again. */
  here: string;
  /** Known unless the fault has struck where it is read; a refusal brings its own. */
  supportUrl: string | null;
  /** No route has the address: not a page that is gone or somebody else's, but one that never was. */
  unmatched?: true | undefined;
}

export function ErrorPage({ error, here, supportUrl, unmatched }: ErrorPageProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const told = refusalIn(error);
  const { heading, words, mayTryAgain } = unmatched ? noPageAt(here) : pageOf(status, told?.message ?? null);
  const support = told?.supportUrl ?? supportUrl;
  return (
    <section className="page narrow">
      <h1>{heading}</h1>
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="actions">
        {mayTryAgain && (
          <a className="button" href={here}>
            Try again
          </a>
        )}
        <a className={mayTryAgain ? "button quiet" : "button"} href={paths.home()}>
          Go to the shop
        </a>
        {support !== null && <a href={supportLink(support, told?.requestId)}>Contact support</a>}
      </p>
      {told !== null && (
        <p className="hint">
          Request <code>{told.requestId}</code>
        </p>
      )}
    </section>
  );
}

function noPageAt(here: string) {
  return {
    heading: unexpected,
    words: [`There is no page at ${here.split("?")[0]}.`, "The link may be old, or a part of it is missing."],
    mayTryAgain: false,
  };
}

/** @param said the refusal's own words, which a fault has none of */
function pageOf(status: number, said: string | null) {
  const because = said === null ? [] : [said];
  switch (status) {
    case 404:
      return {
        heading: "We could not find that page",
        words: ["The link may be old, or it may belong to another account."],
        mayTryAgain: false,
      };
    case 429:
      return { heading: "Please wait a little", words: because, mayTryAgain: true };
    case 401:
    case 403:
      return { heading: "This is not open to you", words: because, mayTryAgain: false };
    case 502:
    case 503:
      return { heading: "That did not work this time", words: because, mayTryAgain: true };
    default:
      return status < 500
        ? { heading: "That did not go through", words: because, mayTryAgain: false }
        : {
            heading: unexpected,
            words: [
              "The fault is ours. What you have saved is kept, and nothing is charged twice.",
              "Please try again in a minute.",
            ],
            mayTryAgain: true,
          };
  }
}

interface Refusal {
  message: string;
  requestId: string;
  supportUrl: string;
}

/** What the route builders put into a refusal; a fault, and Remix's own errors, have none of it. */
export function refusalIn(error: unknown): Refusal | null {
  if (!isRouteErrorResponse(error)) return null;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null) return null;
  if (!("message" in data) || !("requestId" in data) || !("supportUrl" in data)) return null;
  return {
    message: String(data.message),
    requestId: String(data.requestId),
    supportUrl: String(data.supportUrl),
  };
}

/** A mail says which request it is about. */
function supportLink(supportUrl: string, requestId: string | undefined): string {
  if (requestId === undefined || !supportUrl.startsWith("mailto:")) return supportUrl;
  return `${supportUrl}?subject=${encodeURIComponent(`Request ${requestId}`)}`;
}
