/**
 * A page whose path is also a call (docs/decisions/pages.md#pages-that-are-also-calls): browsers, which accept HTML, get the page, and
 * every other client gets the call's answer. Remix renders whatever such a route returns, so the call's answer travels in the request's load
 * context, and entry.server.tsx sends it instead of a document.
 */
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs } from "@remix-run/node";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import type { Described } from "./endpoint.ts";

type Handler<Args, Result> = (args: Args) => Promise<Result>;

export function pageOrJsonLoader<Result>(
  page: Handler<LoaderFunctionArgs, Result>,
  call: Described<Handler<LoaderFunctionArgs, Response>>,
): Described<Handler<LoaderFunctionArgs, Result>> {
  return either(page, call);
}

export function pageOrJsonAction<Result>(
  page: Handler<ActionFunctionArgs, Result>,
  call: Described<Handler<ActionFunctionArgs, Response>>,
): Described<Handler<ActionFunctionArgs, Result>> {
  return either(page, call);
}

/** The call's answer, if the request was a call. */
export function jsonResponseIn({ callAnswer }: AppLoadContext): Response | null {
  return callAnswer instanceof Response ? callAnswer : null;
}

function either<Args extends LoaderFunctionArgs, Result>(
  page: Handler<Args, Result>,
  call: Described<Handler<Args, Response>>,
): Described<Handler<Args, Result>> {
  const handler = async (args: Args) => {
    // Its data is the page's: a call's answer does not fit there.
    if (!wantsJson(args.request) || requestMetadata().isForData) return page(args);
    // Remix runs the loaders after an action too. By then the action has answered.
    args.context.callAnswer ??= await call(args);
    throw data(null);
  };
  return Object.assign(handler, { about: call.about });
}

/** Browser navigations always accept HTML; programs often do not say what they accept. */
function wantsJson(request: Request): boolean {
  return !(request.headers.get("accept") ?? "").includes("text/html");
}
