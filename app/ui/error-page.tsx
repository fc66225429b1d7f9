/**
 * What is shown in place of a page that cannot be: what happened in plain words, a way on, and the request's id for whoever
 * asks about it. Refusals come from the route builders (http/page.ts); anything else is a fault of ours, in the specification's words.
 */
import { isRouteErrorResponse } from "@remix-run/react";
import { paths } from "../paths.ts";

export interface ErrorPageProps {
  error: unknown;
  /** The address to try again. */
  here: string;
  /** Known unless the fault has struck where it is read; a refusal brings its own. */
  supportUrl: string | null;
}

export function ErrorPage({ error, here, supportUrl }: ErrorPageProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const told = isRouteErrorResponse(error) ? toldIn(error.data) : null;
  const { heading, words, mayTryAgain } = pageOf(status, told?.message ?? null);
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
            heading: "Unexpected Application Error!",
            words: [
              "The fault is ours. What you have saved is kept, and nothing is charged twice.",
              "Please try again in a minute.",
            ],
            mayTryAgain: true,
          };
  }
}

/** What the route builders put into a refusal; Remix's own errors have none of it. */
function toldIn(data: unknown): { message: string; requestId: string; supportUrl: string } | null {
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
