/**
 * The error page: a plain explanation, links to continue, and the request's id for support. Refusals come from the route builders
 * (http/page.ts). Anything else is a fault of ours, with the specification's text.
 */
import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import type { Translate } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";
import { useStoreName } from "./brand.ts";
import { Rich, useTranslate } from "./text.tsx";

/** The error page for anything that the route threw. */
export function RouteErrorPage({ unmatched }: Pick<ErrorPageProps, "unmatched">) {
  const { pathname, search } = useLocation();
  return (
    <ErrorPage
      error={useRouteError()}
      here={`${pathname}${search}`}
      supportUrl={useStoreName()?.supportUrl ?? null}
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
  const errorData = errorDataIn(error);
  const text = useTranslate();
  const atDesk = here.startsWith(paths.desk());
  const { heading, words, mayTryAgain } = unmatched
    ? noPageAt(here, text)
    : pageOf(status, errorData?.message ?? null, text, atDesk);
  const support = errorData?.supportUrl ?? supportUrl;
  return (
    <section className="page narrow">
      <h1>{heading}</h1>
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="actions">
        {mayTryAgain && (
          <a className="button" href={here}>
            {text("errorPage.tryAgain")}
          </a>
        )}
        <a className={mayTryAgain ? "button quiet" : "button"} href={atDesk ? paths.desk() : paths.home()}>
          {text(atDesk ? "errorPage.desk" : "errorPage.shop")}
        </a>
        {support !== null && !atDesk && (
          <a href={supportLink(support, errorData?.requestId)}>{text("errorPage.contact")}</a>
        )}
      </p>
      {errorData !== null && (
        <p className="hint">
          <Rich
            text={text("errorPage.request", { id: errorData.requestId })}
            parts={{ id: (id) => <code>{id}</code> }}
          />
        </p>
      )}
    </section>
  );
}

/** The specification's heading for an unknown address, as for a fault of ours. */
function noPageAt(here: string, text: Translate) {
  const [address = ""] = here.split("?");
  return {
    heading: text("errorPage.unexpected"),
    words: [text("errorPage.noPage", { address }), text("errorPage.noPageWhy")],
    mayTryAgain: false,
  };
}

/** @param said the refusal's message, which a fault does not have */
function pageOf(status: number, said: string | null, text: Translate, atDesk: boolean) {
  const because = said === null ? [] : [said];
  switch (status) {
    case 404:
      return {
        heading: text("errorPage.lost"),
        words: atDesk ? because : [text("errorPage.lostWhy")],
        mayTryAgain: false,
      };
    case 429:
      return { heading: text("errorPage.wait"), words: because, mayTryAgain: true };
    case 401:
    case 403:
      return { heading: text("errorPage.closed"), words: because, mayTryAgain: false };
    case 502:
    case 503:
      return { heading: text("errorPage.notThisTime"), words: because, mayTryAgain: true };
    default:
      return status < 500
        ? { heading: text("errorPage.notThrough"), words: because, mayTryAgain: false }
        : {
            heading: text("errorPage.unexpected"),
            words: [text("errorPage.ourFault"), text("errorPage.inAMinute")],
            mayTryAgain: true,
          };
  }
}

interface Refusal {
  message: string;
  requestId: string;
  supportUrl: string;
  /** Title of the document. */
  title: string;
}

/** The data that the route builders attach to a refusal. Faults in a component and Remix's own errors have none. */
export function errorDataIn(error: unknown): Refusal | null {
  if (!isRouteErrorResponse(error)) return null;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null) return null;
  if (!("message" in data) || !("requestId" in data) || !("supportUrl" in data) || !("title" in data))
    return null;
  return {
    message: String(data.message),
    requestId: String(data.requestId),
    supportUrl: String(data.supportUrl),
    title: String(data.title),
  };
}

/** A mail to support names the request in its subject. */
function supportLink(supportUrl: string, requestId: string | undefined): string {
  if (requestId === undefined || !supportUrl.startsWith("mailto:")) return supportUrl;
  return `${supportUrl}?subject=${encodeURIComponent(`Request ${requestId}`)}`;
}
