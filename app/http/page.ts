/**
 * The one way a page reads and a form writes. Everything a route could forget is done here: parameters are parsed, the
 * session is read, writes are checked for origin and size, expected refusals become field errors or an error page, and any
 * other error is logged with the request id.
 */

import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { brand } from "#server/foundation/brand.ts";
import { type DomainError, notFound } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { type MessageDescriptor, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { createRequestScope } from "#server/integrations/call-attribution.ts";
import { toDomainError } from "#server/platform/to-domain-error.ts";
import { navigationAt } from "../ui/navigation.ts";
import { readForm } from "./body.ts";
import { formErrorMap } from "./form-error-map.ts";
import { fieldNamesOf, takeFields } from "./form-fields.ts";
import { enforceRateLimit, type RateLimitRule } from "./rate-limits.ts";
import { logRefusal } from "./refusal-log.ts";
import { openLoaderRequest, openRequest, type RequestContext, redirectWith } from "./request-context.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { applySecurityHeaders } from "./security-headers.ts";
import { readUpload, type Upload, type UploadedFile } from "./upload.ts";

/** A form action's reply when it does not redirect: conform's result, and the intent's data, if any. */
export interface FormReply<Output> {
  result: SubmissionResult<string[]>;
  output: Output | null;
  /** Values that the refused field would take. */
  offers?: readonly string[];
}

/**
 * Builds a loader. The handler returns plain data, or throws a redirect or a DomainError.
 * @param params schema of the URL's parameters; anything else is a 404
 * @param options.limit as in formAction
 * @param options.ahead begins to read data for the handler concurrently with the visitor. The handler must check access before it
 * shows any of it
 */
export function pageLoader<Params extends z.ZodType, Result>(
  params: Params,
  handler: (request: RequestContext, params: z.output<Params>) => Promise<Result>,
  {
    limit,
    prefetch,
  }: { limit?: RateLimitRule; prefetch?: (load: AppLoadContext, params: z.output<Params>) => void } = {},
) {
  return async ({ request: raw, params: given, context: loadContext }: LoaderFunctionArgs) => {
    const parsed = params.safeParse(given);
    if (parsed.success) prefetch?.(loadContext, parsed.data);
    const request = await openLoaderRequest(raw, loadContext);
    try {
      if (request.unread !== null) throw request.unread;
      if (!parsed.success) throw notFound();
      if (limit !== undefined) await enforceRateLimit(limit, request);
      const answer = await createRequestScope()(() => handler(request, parsed.data));
      return data(answer, { headers: request.responseHeaders });
    } catch (error) {
      throw refusalPage(error, request);
    }
  };
}

type FaultMessage =
  | MessageDescriptor
  | ReadonlyMap<string, MessageDescriptor>
  | ((requestId: string) => MessageDescriptor);

/** Schema and handler of a form. */
export interface Form<Params extends z.ZodType, Schema extends z.ZodType, Output> {
  schema: Schema;
  /** Returns a redirect Response, or data for an intent that stays on the page. */
  handler: (
    request: RequestContext,
    params: z.output<Params>,
    value: z.output<Schema>,
    /** The uploaded file of a form that accepts one; null when none was chosen. */
    file: UploadedFile | null,
  ) => Promise<Response | { output: Output }>;
  /** Intent of a button that changes nothing and shows the page again with its input. */
  redrawnBy?: string;
}

/** Requests whose form was refused, by the load context that Remix shares between an action and the loaders of its page. */
const refusedForms = new WeakSet<AppLoadContext>();

/** Whether a loader runs for a page that is shown because its form was refused. */
export function isAfterRefusal({ load }: RequestContext): boolean {
  return load !== null && refusedForms.has(load);
}

type OpenForm<Params extends z.ZodType, Schema extends z.ZodType, Output> = (
  request: RequestContext,
  params: z.output<Params>,
) => Promise<Form<Params, Schema, Output>>;

/**
 * Builds a form's action. Field errors and refusals answer with their status and keep the user's input, except passwords.
 * @param options.open makes schema and handler for this request, where both depend on data that is read once
 * @param options.upload for a form with a file, which is read only after `open` has let the user in
 * @param options.limit how often a network may post it, counted together with everything else under that limit
 * @param options.pageless there is no page at its address on which a refusal could be shown
 * @param options.faultMessage the form's message when a fault of ours stops it, instead of the generic error page; for a page
 * with several forms, by intent; a function where it names the request
 */
export function formAction<Params extends z.ZodType, Schema extends z.ZodType, Output = never>(
  options: {
    params: Params;
    upload?: Upload;
    limit?: RateLimitRule;
    pageless?: true;
    faultMessage?: FaultMessage;
  } & (Form<Params, Schema, Output> | { open: OpenForm<Params, Schema, Output> }),
) {
  return async ({ request: raw, params: given, context: loadContext }: ActionFunctionArgs) => {
    const request = await openRequest(raw);
    if (raw.method !== "POST") throw methodNotAllowed(request);
    try {
      if (request.view !== null && options.pageless) throw await backIntoView(request);
      if (request.unread !== null) throw request.unread;
      requireSameOrigin(raw, request.context.env.PUBLIC_URL);
      const params = options.params.safeParse(given);
      if (!params.success) throw notFound();
      const during = createRequestScope();
      const open = async () =>
        "open" in options ? during(() => options.open(request, params.data)) : options;
      const { upload } = options;
      const early = upload === undefined ? null : await open();
      const { form, file } =
        upload === undefined ? { form: await readForm(raw), file: null } : await readUpload(raw, upload);
      const { schema, handler, redrawnBy } = early ?? (await open());
      const { fields, refusal: malformed } = takeFields(form, schema);
      const submission = parseWithZod(fields, { schema, error: formErrorMap });
      const hideFields = [...fields.keys()].filter((name) => /password|token/i.test(name));
      const reply = (
        status: number,
        errors: { formErrors?: string[]; fieldErrors?: Record<string, string[]> } | null = {},
        offers: readonly string[] = [],
      ) => {
        const { error, ...filledIn } = submission.reply({ hideFields, ...errors });
        if (errors !== null) refusedForms.add(loadContext);
        const result = errors === null ? filledIn : translated({ ...filledIn, error }, request.language);
        return data<FormReply<Output>>(
          { result, output: null, offers },
          { status, headers: request.responseHeaders },
        );
      };
      try {
        if (options.limit !== undefined) await enforceRateLimit(options.limit, request);
        if (malformed !== null) throw malformed;
        if (redrawnBy !== undefined && form.get("intent") === redrawnBy) return reply(200, null);
        if (submission.status !== "success") return reply(400);
        const answer = await during(() => handler(request, params.data, submission.value, file));
        if (answer instanceof Response) return withHeaders(answer, request);
        return data<FormReply<Output>>(
          { result: submission.reply({ hideFields }), output: answer.output },
          { headers: request.responseHeaders },
        );
      } catch (error) {
        const refusal = toDomainError(error, request.log);
        const broken = faultMessageOf(options, request, fields.get("intent") ?? "");
        if (refusal === null && broken !== undefined && !(error instanceof Response)) {
          request.log.error({ err: error }, "form failed");
          return reply(500, { formErrors: [translate(request.language, broken)] });
        }
        if (refusal === null || !staysOnTheForm(refusal, schema)) throw error;
        logRefusal(request, refusal, "form refused");
        if (refusal.retryAfterSeconds !== undefined) {
          request.responseHeaders.set("Retry-After", String(refusal.retryAfterSeconds));
        }
        const say = (message: MessageDescriptor | string) => [translate(request.language, message)];
        const fieldErrors = Object.fromEntries(
          Object.entries(refusal.fields ?? {}).map(([name, message]) => [name, say(message)]),
        );
        return refusal.fields === undefined
          ? reply(refusal.status, { formErrors: say(refusal.descriptor) })
          : reply(refusal.status, { fieldErrors }, refusal.offers);
      }
    } catch (error) {
      throw refusalPage(error, request);
    }
  };
}

function faultMessageOf(
  { faultMessage }: { faultMessage?: FaultMessage },
  { requestId }: RequestContext,
  intent: string,
): MessageDescriptor | undefined {
  if (faultMessage === undefined) return undefined;
  if (typeof faultMessage === "function") return faultMessage(requestId);
  return "key" in faultMessage ? faultMessage : faultMessage.get(intent);
}

/**
 * Builds the action for a form that another site posts legitimately: the payment page's result, or a mailbox provider's
 * unsubscribe button. It arrives without our cookies, so its content or its address has to be authenticated. A refusal is shown
 * on the error page.
 */
export function crossSiteFormAction(options: {
  limit: RateLimitRule;
  handler: (
    request: RequestContext,
    posted: URLSearchParams,
    params: ActionFunctionArgs["params"],
  ) => Promise<Response>;
}) {
  return async ({ request: raw, params }: ActionFunctionArgs) => {
    const request = await openRequest(raw);
    if (raw.method !== "POST") throw methodNotAllowed(request);
    try {
      if (request.unread !== null) throw request.unread;
      await enforceRateLimit(options.limit, request);
      return withHeaders(await options.handler(request, await readForm(raw), params), request);
    } catch (error) {
      throw refusalPage(error, request);
    }
  };
}

/** Translates schema messages (`issue`), because only here is the visitor's language known. */
function translated(result: SubmissionResult<string[]>, language: LanguageId): SubmissionResult<string[]> {
  if (result.error === undefined) return result;
  const error = Object.entries(result.error).map(([name, messages]) => [
    name,
    messages === null ? null : messages.map((message) => translate(language, message)),
  ]);
  return { ...result, error: Object.fromEntries(error) };
}

/** The error page: ui/error-page.tsx shows it, and ui/head.ts its title. */
function errorPage(
  { requestId, text }: RequestContext,
  { message, status, headers = new Headers() }: { message: string; status: number; headers?: Headers },
): unknown {
  const title = text(status === 404 ? "errors.notFoundTitle" : "errors.failedTitle");
  return data({ message, requestId, supportUrl: brand.supportUrl, title }, { status, headers });
}

function methodNotAllowed(request: RequestContext): unknown {
  const message = request.text("errors.methodNotAllowed");
  return errorPage(request, { message, status: 405, headers: new Headers({ Allow: "POST" }) });
}

/** Refuses a write during an impersonation: redirects to a page with the banner, which explains it. */
function backIntoView(request: RequestContext): Promise<Response> {
  const message = request.text("storeView.readOnly");
  return redirectWith(request, paths.customerHome(), { type: "error", message });
}

/** A form that is only a button has no place for an error message and no input to keep. */
function staysOnTheForm(error: DomainError, schema: z.ZodType): boolean {
  return error.code !== "not_found" && fieldNamesOf(schema).size > 0;
}

/** Redirects are not rendered, so the headers that entry.server.tsx adds to documents are added here. */
function withHeaders(response: Response, request: RequestContext): Response {
  for (const [name, value] of request.responseHeaders) response.headers.append(name, value);
  if (leavesTheSteps(response, request)) response.headers.set("X-Remix-Reload-Document", "true");
  applySecurityHeaders(response.headers, request.context.env, null);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Whether a redirect leaves the steps of an order, whose scripts do not contain the header of other pages (ui/header.tsx). */
function leavesTheSteps({ headers }: Response, { url }: RequestContext): boolean {
  const next = new URL(headers.get("Location") ?? "", url);
  return !navigationAt(next.pathname).pageSidebar;
}

/** Maps a thrown value to what Remix shows: a redirect, an error page with its status, or the generic error page. */
export function refusalPage(error: unknown, request: RequestContext): unknown {
  if (error instanceof Response) return withHeaders(error, request);
  const refusal = toDomainError(error, request.log);
  if (refusal !== null) {
    logRefusal(request, refusal, "request refused");
    const headers = new Headers(request.responseHeaders);
    if (refusal.retryAfterSeconds !== undefined)
      headers.set("Retry-After", String(refusal.retryAfterSeconds));
    return errorPage(request, {
      message: translate(request.language, refusal.descriptor),
      status: refusal.status,
      headers,
    });
  }
  request.log.error({ err: error }, "request failed");
  return errorPage(request, { message: request.text("errorPage.unexpected"), status: 500 });
}
