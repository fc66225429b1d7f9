/**
 * How a JSON call describes itself. The route builder enforces the description, and the OpenAPI document is generated from
 * it.
 */
import type { z } from "zod";
import type { SessionUser } from "#server/accounts/sessions.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { RateLimitRule } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** Access rule of a call, and the context that its handler then receives. */
export interface Access<Opened extends RequestContext> {
  /**
   * "optional" = no session is needed, but one that is sent counts. "order" = the owner of the order named in the call: a
   * member of its company, or the browser that began it.
   */
  readonly needs: "nobody" | "optional" | "order" | "account";
  open(request: RequestContext): Opened;
}

export type SignedInContext = RequestContext & { session: SessionUser };

/** Context without a session, so that a call documented as public cannot come to depend on one. */
export type AnonymousContext = RequestContext & { session: null };

export const publicAccess: Access<AnonymousContext> = {
  needs: "nobody",
  open: (request) => ({ ...request, session: null }),
};
export const optionalSessionAccess: Access<RequestContext> = {
  needs: "optional",
  open: (request) => request,
};
/** The handler looks up the order for the caller (own-order.ts). Another owner's order is a 404. */
export const orderOwnerAccess: Access<RequestContext> = { needs: "order", open: (request) => request };
export const sessionAccess: Access<SignedInContext> = {
  needs: "account",
  open(request) {
    const { session } = request;
    if (session === null) throw new DomainError("unauthenticated", "Please sign in first.");
    return { ...request, session };
  },
};

export const tags = [
  "Account",
  "Catalogue",
  "Order",
  "Payment",
  "Sign-In",
  "Customer",
  "Subscription",
  "Service",
] as const;

export interface EndpointOptions<Opened extends RequestContext = RequestContext> {
  /** One sentence. */
  summary: string;
  /** Facts that a client needs beyond names and types. */
  notes?: string;
  tag: (typeof tags)[number];
  access: Access<Opened>;
  /** Statuses of the call's own refusals, beyond those that follow from the other options. */
  refuses?: readonly (400 | 401 | 403 | 404 | 409 | 502 | 503)[];
  /** Rate limit per network, checked before anything else. Left out where the called function does its own counting. */
  limit?: RateLimitRule;
  /** Set for a call that can answer 429 although it sets no `limit` itself. */
  limited?: true;
  /** Set when the Link header names a list's next page. */
  linksNextPage?: true;
  /** The field names under which the specification's replies repeat a refusal, in addition to `error`. */
  refusedAs?: (message: string) => Record<string, string>;
  /** This call's field names, by the name under which the domain refuses them. */
  fieldNames?: Readonly<Record<string, string>>;
}

export interface PostOptions<Opened extends RequestContext = RequestContext> extends EndpointOptions<Opened> {
  /** Set for a call that creates or charges: it honours `Idempotency-Key`. */
  idempotent?: true;
  /** Set when the same path also answers GET. */
  alsoGet?: true;
  /** Set when the call takes no body. A body of any type is ignored. */
  bodyless?: true;
}

/** A call as the document describes it. */
export interface EndpointDescription extends Omit<PostOptions, "access" | "fieldNames"> {
  method: "get" | "post";
  needs: Access<RequestContext>["needs"];
  input: z.ZodType;
  reply: z.ZodType;
}

/** A loader or an action that can be described. */
export type Described<Handler> = Handler & { readonly about: EndpointDescription };
