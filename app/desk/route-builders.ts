/**
 * Builders of Desk's routes. A route refuses a request from a network that is not allowed, without a Desk session that has passed
 * its second factor, or in a role that server/desk/roles.ts does not allow on the page. The sign-in pages are built here too, and
 * check only the network (tests/unit/architecture/desk-access.test.ts).
 */
import { redirect } from "@remix-run/node";
import type { z } from "zod";
import { type DeskPageId, maySee } from "#server/desk/roles.ts";
import { endStaffSession, readStaffSession, type StaffSession } from "#server/desk/sessions.ts";
import { waitingText } from "#server/desk/work-queue.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { readText, staffSessionCookie } from "../http/cookies.ts";
import { type Form, formAction, pageLoader } from "../http/page.ts";
import { enforceRateLimit, type RateLimitRule, rateLimits } from "../http/rate-limits.ts";
import { clearSiteData, type RequestContext } from "../http/request-context.ts";
import { ownAddress, pageOfDownload, safeReturnPath } from "../http/return-path.ts";
import type { Upload, UploadedFile } from "../http/upload.ts";
import { linksFor } from "./navigation.ts";
import type { HeaderView } from "./view.ts";

/** A request of a signed-in member of staff whose role opens the page. */
export interface StaffRequest extends RequestContext {
  desk: StaffSession;
}

/** Builds the loader of a page. Its data includes the sidebar's. */
export function deskLoader<Params extends z.ZodType, Result extends object>(
  door: DeskPageId,
  params: Params,
  handler: (request: StaffRequest, params: z.output<Params>) => Promise<Result>,
) {
  return pageLoader(params, async (request, given): Promise<Result & { desk: HeaderView }> => {
    const staffed = await enter(request, door);
    const [page, desk] = await Promise.all([handler(staffed, given), viewFor(staffed, door)]);
    return { ...page, desk };
  });
}

/** A form's schema and handler, as in formAction. */
export interface DeskForm<Params extends z.ZodType, Schema extends z.ZodType, Output> {
  schema: Schema;
  handler: (
    request: StaffRequest,
    params: z.output<Params>,
    value: z.output<Schema>,
    file: UploadedFile | null,
  ) => Promise<Response | { output: Output }>;
  redrawnBy?: string;
}

/** Builds the action of a page's form. @param options.open creates the schema and the handler for this request */
export function deskAction<Params extends z.ZodType, Schema extends z.ZodType, Output = never>(
  door: DeskPageId,
  options: { params: Params; upload?: Upload } & (
    | DeskForm<Params, Schema, Output>
    | {
        open: (request: StaffRequest, params: z.output<Params>) => Promise<DeskForm<Params, Schema, Output>>;
      }
  ),
) {
  return formAction<Params, Schema, Output>({
    params: options.params,
    ...(options.upload !== undefined && { upload: options.upload }),
    async open(request, params) {
      const staffed = await enter(request, door);
      const { schema, handler, redrawnBy } =
        "open" in options ? await options.open(staffed, params) : options;
      return {
        schema,
        handler: (_request, given, value, file) => handler(staffed, given, value, file),
        ...(redrawnBy !== undefined && { redrawnBy }),
      };
    },
  });
}

/**
 * Builds the loader of a file, like downloadLoader.
 * @param handler receives the raw parameters of the path
 */
export function deskFileLoader(
  door: DeskPageId,
  handler: (request: StaffRequest, params: Readonly<Record<string, string | undefined>>) => Promise<Response>,
) {
  return downloadLoader(async (request, params) => handler(await enter(request, door), params));
}

/** Builds the loader of a page without a session, such as the sign-in. It checks only the network and the rate limit. */
export function signedOutLoader<Params extends z.ZodType, Result>(
  params: Params,
  handler: (request: RequestContext, params: z.output<Params>) => Promise<Result>,
) {
  return pageLoader(params, async (request, given) => {
    await reach(request, rateLimits.desk);
    return handler(request, given);
  });
}

/** Builds the action of a page without a session. */
export function signedOutAction<Params extends z.ZodType, Schema extends z.ZodType, Output = never>({
  params,
  schema,
  handler,
}: { params: Params } & Pick<Form<Params, Schema, Output>, "schema" | "handler">) {
  return formAction<Params, Schema, Output>({
    params,
    async open(request) {
      await reach(request, rateLimits.deskSignIn);
      return { schema, handler };
    },
  });
}

/** This browser's Desk session, with or without its second factor. */
export async function staffSessionOf({ context, raw }: RequestContext): Promise<StaffSession | null> {
  const token = await readText(staffSessionCookie(context.env), raw);
  const session = token === null ? null : await readStaffSession(context.db, token, new Date());
  if (session !== null) requestMetadata().staffId = session.staff.id;
  return session;
}

/** Signs this browser in to Desk, and ends its previous Desk session. */
export async function setStaffSession(request: RequestContext, token: string): Promise<void> {
  const before = await staffSessionOf(request);
  if (before !== null) await endStaffSession(request.context.db, before.sessionId, new Date());
  request.responseHeaders.append(
    "Set-Cookie",
    await staffSessionCookie(request.context.env).serialize(token),
  );
  const { staffId } = requestMetadata();
  const network = shortNetwork(request.clientAddress);
  request.log.info({ staffId, network, path: request.url.pathname }, "desk session started");
}

/** Signs this browser out of Desk. The caller ends the session itself. */
export async function clearStaffSession(request: RequestContext): Promise<void> {
  const gone = await staffSessionCookie(request.context.env).serialize("", { maxAge: 0 });
  request.responseHeaders.append("Set-Cookie", gone);
  clearSiteData(request);
}

/** Returns the Desk page to open after a sign-in. Any other path becomes Desk's first page. */
export function deskReturnPath(text: string | null | undefined): string {
  const path = safeReturnPath(text, paths.desk());
  // Resolved as a browser does: "/desk/../account" is not a page of the desk.
  const { pathname } = new URL(path, "http://desk");
  return pathname === paths.desk() || pathname.startsWith(`${paths.desk()}/`) ? path : paths.desk();
}

/** @throws DomainError not_found from a network that is not allowed, as if Desk did not exist */
async function reach(request: RequestContext, limit: RateLimitRule): Promise<void> {
  request.responseHeaders.set("X-Robots-Tag", "noindex");
  const allowed = request.context.env.DESK_ALLOWED_ADDRESSES;
  if (allowed !== null && !allowed.has(request.clientAddress)) throw notFound();
  await enforceRateLimit(limit, request);
}

/** @throws a redirect to the missing step of the sign-in; DomainError forbidden for a role that cannot open the page */
async function enter(request: RequestContext, door: DeskPageId): Promise<StaffRequest> {
  await reach(request, rateLimits.desk);
  const session = await staffSessionOf(request);
  const here = request.raw.method === "GET" ? pageOfDownload(ownAddress(request.url)) : undefined;
  if (session === null) throw redirect(paths.deskLogin(here));
  if (session.verifiedAt === null) throw redirect(paths.deskCode(here));
  const { DESK_SECOND_FACTOR } = request.context.env;
  // The setting changed after the sign-in.
  if (DESK_SECOND_FACTOR === "required" && !session.staff.hasSecondFactor)
    throw redirect(paths.deskLogin(here));
  if (!maySee(session.staff.role, door))
    throw new DomainError("forbidden", `Your role (${session.staff.role}) can't open this page.`);
  return { ...request, desk: session };
}

async function viewFor({ context, desk }: StaffRequest, door: DeskPageId): Promise<HeaderView> {
  const { email, role } = desk.staff;
  return { email, role, links: linksFor(role, door, await waitingText(context.db)) };
}
