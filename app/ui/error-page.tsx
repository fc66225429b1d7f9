/**
 * The error page: what happened in plain words, links to continue, and the request's id for support. Refusals come from the
 * route builders (http/page.ts). Anything else is a fault of ours, in the specification's words.
 */
import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import * as paths from "#server/paths.ts";
import { useBrand } from "./brand.ts";

/** The specification's heading for a fault of ours and for an unknown address. */
const unexpected = "Unexpected Application Error!";

/** The error page for anything that the route threw. */
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
  /** The address for trying again. */
  here: string;
  /** Null only when the fault prevented reading it. A refusal brings its own. */
  supportUrl: string | null;
  /**
   * No route matches the address. Set only for addresses that never existed, not for deleted pages or those of other users.
   */
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

/** @param said the refusal's message, which a fault does not have */
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

/** The data that the route builders attach to a refusal. Faults and Remix's own errors have none. */
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

/** A mail to support names the request in its subject. */
function supportLink(supportUrl: string, requestId: string | undefined): string {
  if (requestId === undefined || !supportUrl.startsWith("mailto:")) return supportUrl;
  return `${supportUrl}?subject=${encodeURIComponent(`Request ${requestId}`)}`;
}
