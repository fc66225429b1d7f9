/** The Idempotency-Key header: a repeat gets the first answer again, including its cookies. */
import { z } from "zod";
import { DomainError } from "#server/foundation/errors.ts";
import { runOnce } from "#server/foundation/security/idempotency.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import type { RequestContext } from "../../http/request-context.ts";

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "Use 1 to 255 printable ASCII characters.");

/**
 * Only the key distinguishes guests on one network, and the stored response may contain the session of a new account. So it must
 * be a key that nobody else can reuse by accident or guess.
 */
const guestsKey = z.union([z.uuidv4(), z.uuidv7()], {
  error: "Without a session token, use a random UUID (version 4 or 7) as the key.",
});

const keptReply = z.object({ reply: z.json(), cookies: z.array(z.string()) });

/** @throws DomainError bad_request for an invalid key; as `once` */
export async function respondOnce(
  request: RequestContext,
  body: string,
  run: () => Promise<object>,
): Promise<object | Response> {
  const sent = request.raw.headers.get("idempotency-key");
  if (sent === null) return run();
  const who = whoAsks(request);
  const key = idempotencyKey.pipe(who.isGuest ? guestsKey : z.string()).safeParse(sent);
  if (!key.success) {
    const message = key.error.issues[0]?.message ?? "";
    throw new DomainError("bad_request", message, { fields: { "Idempotency-Key": message } });
  }
  const keyed = { who: who.name, path: request.url.pathname, key: key.data, body };
  const answered = await runOnce(request.context, keyed, async () => {
    const reply = await run();
    return { status: 200, text: JSON.stringify({ reply, cookies: request.responseHeaders.getSetCookie() }) };
  });
  const { reply, cookies } = keptReply.parse(JSON.parse(answered.text));
  if (answered.replayed) {
    for (const cookie of cookies) request.responseHeaders.append("Set-Cookie", cookie);
    request.responseHeaders.set("Idempotency-Replayed", "true");
  }
  return Response.json(reply, { status: answered.status });
}

/** Scope of a key: the caller, so that nobody receives another caller's response. A guest has neither an account nor a draft. */
function whoAsks({ session, draftKey, clientAddress }: RequestContext): { name: string; isGuest: boolean } {
  if (session !== null) return { name: `user:${session.userId}`, isGuest: false };
  return draftKey === null
    ? { name: `network:${networkOf(clientAddress)}`, isGuest: true }
    : { name: `draft:${draftKey}`, isGuest: false };
}
