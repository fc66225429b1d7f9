/** What a JSON call says of itself: the route builder acts on it, and the OpenAPI document is made of it. */
import type { z } from "zod";
import type { SessionUser } from "#server/accounts/sessions.ts";
import { DomainError } from "#server/errors.ts";
import type { Limit } from "../../http/limits.ts";
import type { RequestContext } from "../../http/request-context.ts";

/** Who may make a call, and what its handler then knows of them. */
export interface Access<Opened extends RequestContext> {
  /**
   * "optional" = nobody, but a session that is sent counts. "order" = whoever the order named in the call belongs to: a
   * member of its company, or the browser that began it.
   */
  readonly needs: "nobody" | "optional" | "order" | "account";
  open(request: RequestContext): Opened;
}

export type SignedInContext = RequestContext & { session: SessionUser };

/** A call that is documented as asking for no session cannot come to depend on one: it does not see it. */
export type AnonymousContext = RequestContext & { session: null };

export const anybody: Access<AnonymousContext> = {
  needs: "nobody",
  open: (request) => ({ ...request, session: null }),
};
export const optionallySignedIn: Access<RequestContext> = { needs: "optional", open: (request) => request };
/** The handler finds the order for whoever asks (own-order.ts); somebody else's is a 404. */
export const orderOwner: Access<RequestContext> = { needs: "order", open: (request) => request };
export const signedIn: Access<SignedInContext> = {
  needs: "account",
  open(request) {
    const { session } = request;
    if (session === null) throw new DomainError("unauthenticated", "Please log in first.");
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

export interface CallOptions<Opened extends RequestContext = RequestContext> {
  /** One sentence. */
  summary: string;
  /** What a client must know beyond names and types. */
  notes?: string;
  tag: (typeof tags)[number];
  access: Access<Opened>;
  /** Statuses of its own refusals, beyond those that follow from the rest. */
  refuses?: readonly (400 | 401 | 403 | 404 | 409 | 502 | 503)[];
  /** Counted by the asker's network, before anything else is done. Left out where the function called counts itself. */
  limit?: Limit;
  /** Whether it answers 429 although it has no `limit` of its own. */
  limited?: true;
  /** Whether the Link header names the next page of a list. */
  linksNextPage?: true;
  /** What a refusal is called in the specification's replies, beside `error`. */
  refusedAs?: (message: string) => Record<string, string>;
  /** What this call calls a field that the domain refuses under another name. */
  fieldNames?: Readonly<Record<string, string>>;
}

export interface PostOptions<Opened extends RequestContext = RequestContext> extends CallOptions<Opened> {
  /** It creates or charges: `Idempotency-Key` is honoured. */
  idempotent?: true;
  /** The path is also read. */
  alsoGet?: true;
  /** Nothing is sent with it; a body, of whatever type, is not looked at. */
  bodyless?: true;
}

/** A call as the document shows it. */
export interface CallDescription extends Omit<PostOptions, "access" | "fieldNames"> {
  method: "get" | "post";
  needs: Access<RequestContext>["needs"];
  input: z.ZodType;
  reply: z.ZodType;
}

/** A loader or an action that can be described. */
export type Described<Handler> = Handler & { readonly about: CallDescription };
