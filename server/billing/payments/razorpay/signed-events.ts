/**
 * Reads Razorpay's webhooks of any kind: verifies the signature over the raw body, and keeps only the fields of each entity
 * that we use. An event of an unknown kind or shape is accepted too, because Razorpay would otherwise resend it for a day and
 * then disable the webhook (docs/providers.md, section 3.2).
 */
import { z } from "zod";
import { DomainError, forged } from "#server/foundation/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { ProviderEvent, WebhookRequest } from "../provider.ts";

export interface EventRules {
  /** The entities that we use, by their names in the payload. */
  entities: Readonly<Record<string, z.ZodType>>;
  /** Returns the names of the entities that an event of a kind must have; empty for a kind that we do not need. */
  needed(kind: string): readonly string[];
}

/** Any Razorpay id; it becomes a part of a path. */
export const razorpayId = z.string().regex(/^[A-Za-z0-9_]{1,64}$/);

const eventSchema = z.object({
  event: z.string().min(1).max(100),
  /** Unix seconds. */
  created_at: z.number().optional().catch(undefined),
  payload: z.record(z.string(), z.unknown()).catch({}),
});
const wrapped = z.object({ entity: z.unknown() });

/**
 * Reads and verifies a webhook. @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not
 * an event
 */
export function parseSignedEvent(
  { env, razorpayOf }: Context,
  { body, headers }: WebhookRequest,
  { entities, needed }: EventRules,
): ProviderEvent {
  const signature = headers.get("x-razorpay-signature");
  const [account] = [...env.razorpayAccounts.keys()].filter(
    (each) => signature !== null && razorpayOf(each).isWebhookSignatureValid(body, signature),
  );
  if (account === undefined) {
    throw new DomainError("unauthenticated", "The signature is not valid.", { facts: forged });
  }
  const event = eventSchema.safeParse(parseJson(body));
  const id = headers.get("x-razorpay-event-id");
  if (!event.success || id === null || id.length > 200) {
    throw new DomainError("bad_request", "The body is not an event.");
  }
  const { event: type, payload, ...rest } = event.data;
  const kept: Record<string, { entity: unknown }> = {};
  const problems: string[] = [];
  for (const [name, schema] of Object.entries(entities)) {
    const given = wrapped.safeParse(payload[name]).data?.entity;
    const entity = given == null ? null : schema.safeParse(given);
    if (entity?.success) kept[name] = { entity: entity.data };
    else if (needed(type).includes(name)) problems.push(problemOf(name, given, entity?.error));
  }
  return {
    id,
    account,
    type,
    payload: { event: type, ...rest, payload: kept },
    isUsed: Object.keys(kept).length > 0,
    problem: problems.length === 0 ? null : problems.join(" "),
  };
}

const named = z.object({ id: razorpayId.optional().catch(undefined) }).catch({});

/** Describes the entity and the field, never a value, because entities contain personal data. */
function problemOf(name: string, given: unknown, error: z.ZodError | undefined): string {
  if (error === undefined) return `The event has no ${name}.`;
  const { id } = named.parse(given);
  const [issue] = error.issues;
  const field = issue?.path.join(".") || "its shape";
  return `The ${name}${id === undefined ? "" : ` ${id}`} can't be read: ${field} (${issue?.message ?? "not valid"}).`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
