/** Mail over a real SMTP connection: sent once per request, with single-use links that are stored as hashes only. */
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { MailId } from "#db/ids.ts";
import type { MailKind } from "#db/tables/enums.ts";
import { consumeToken, peekToken } from "#server/accounts/one-time-tokens.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { createMailTransport } from "#server/integrations/smtp.ts";
import { sendMail } from "#server/mail/send.ts";
import { type AnyMail, queueAnyMail } from "#tests/support/mails.ts";
import { anonymousRequester, makeOrder, makePerson, numberOf } from "#tests/support/orders.ts";
import { queuedJobs, storedJobs } from "#tests/support/queue.ts";
import { startWorld } from "#tests/support/world.ts";

const world = await startWorld();

async function ask(request: AnyMail): Promise<MailId> {
  const { db } = world.context;
  await db.transaction().execute((trx) => queueAnyMail(trx, request));
  const row = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", request.dedupeKey)
    .executeTakeFirstOrThrow();
  return row.id;
}
const jobsOf = async (id: MailId) =>
  (await queuedJobs(world.context.db)).filter(({ key }) => key === `mail:${id}`).length;
const sentAt = async (id: MailId) =>
  (
    await world.context.db
      .selectFrom("mails")
      .select("sent_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  ).sent_at;

async function buyerWithOrder() {
  const buyer = await makePerson(world.context.db);
  const orderId = await makeOrder(world.context.db, {
    requester: { ...anonymousRequester, userId: buyer.userId },
  });
  return { ...buyer, orderId };
}

describe("queueing a mail", () => {
  test("creates one row and one job for concurrent requests with the same key", async () => {
    const { email, userId } = await buyerWithOrder();
    const request = { kind: "set-password", dedupeKey: `twice:${userId}`, recipient: email, userId } as const;
    const ids = await Promise.all([ask(request), ask(request), ask(request)]);
    expect(new Set(ids).size).toBe(1);
    const [id] = ids;
    if (id === undefined) throw new Error("Expected a mail");
    expect(await jobsOf(id)).toBe(1);
  });

  test("queues nothing if the transaction rolls back", async () => {
    const dedupeKey = "undone";
    const undone = world.context.db.transaction().execute(async (trx) => {
      await queueAnyMail(trx, { kind: "set-password", dedupeKey, recipient: "a@example.com" });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(
      await world.context.db.selectFrom("mails").where("dedupe_key", "=", dedupeKey).select("id").execute(),
    ).toEqual([]);
  });
});

describe("sending", () => {
  test("sends nothing more when a crashed job is repeated", async () => {
    const { email, userId, orderId } = await buyerWithOrder();
    const id = await ask({
      kind: "order-confirmation",
      dedupeKey: `once:${orderId}`,
      recipient: email,
      userId,
      orderId,
    });
    expect(await sentAt(id)).toBeNull();
    await sendMail(world.context, id);
    await sendMail(world.context, id);
    expect(await sentAt(id)).toEqual(expect.any(Date));
    expect(await world.controls.inbox(email)).toHaveLength(1);
  });

  test("fails while the mail server is down, and succeeds once it is back", async () => {
    const { email, userId } = await buyerWithOrder();
    const id = await ask({ kind: "set-password", dedupeKey: `away:${userId}`, recipient: email, userId });
    const away = createMailTransport({ smtpUrl: "smtp://127.0.0.1:1", from: world.context.env.MAIL_FROM });
    await expect(sendMail({ ...world.context, mail: away }, id)).rejects.toThrow(ProviderError);
    expect(await sentAt(id)).toBeNull();
    await sendMail(world.context, id);
    expect(await world.controls.inbox(email)).toHaveLength(1);
  });

  test("stops on a permanent refusal of the address, and retries a temporary one", async () => {
    const { email, userId } = await buyerWithOrder();
    const refusing = async (responseCode: number) => {
      let tries = 0;
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS"],
        onRcptTo(_address, _session, done) {
          tries += 1;
          done(Object.assign(new Error("Go away"), { responseCode }));
        },
      });
      server.on("error", () => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
      onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
      const { port } = z.object({ port: z.number() }).parse(server.server.address());
      const mail = createMailTransport({
        smtpUrl: `smtp://127.0.0.1:${port}`,
        from: world.context.env.MAIL_FROM,
      });
      return { context: { ...world.context, mail }, tries: () => tries };
    };
    const rowOf = (id: MailId) =>
      world.context.db
        .selectFrom("mails")
        .select(["sent_at", "refused_at", "last_error"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const id = await ask({ kind: "set-password", dedupeKey: `refused:${userId}`, recipient: email, userId });

    const full = await refusing(452);
    await expect(sendMail(full.context, id)).rejects.toThrow(ProviderError);
    expect(await rowOf(id)).toEqual({ sent_at: null, refused_at: null, last_error: null });

    const unknown = await refusing(550);
    await sendMail(unknown.context, id);
    await sendMail(unknown.context, id);
    expect(unknown.tries()).toBe(1);
    expect(await rowOf(id)).toEqual({
      sent_at: null,
      refused_at: expect.any(Date),
      last_error: expect.stringContaining("550"),
    });
  });

  test("sends operator alerts to the address in the sending process's settings", async () => {
    const { orderId } = await buyerWithOrder();
    const { db } = world.context;
    const dedupeKey = `alert:${orderId}`;
    await db
      .transaction()
      .execute((trx) => queueOperatorAlert(trx, { dedupeKey, orderId, what: "Look <here> & there" }));
    const { id } = await db
      .selectFrom("mails")
      .select("id")
      .where("dedupe_key", "=", dedupeKey)
      .executeTakeFirstOrThrow();
    await sendMail(world.context, id);
    const [mail] = await world.controls.inbox(world.context.env.OPERATOR_EMAIL);
    expect(mail?.subject).toContain(await numberOf(db, orderId));
    expect(mail?.text).toContain("Look <here> & there");
    expect(mail?.html).toContain("Look &#60;here&#62; &#38; there");
  });
});

describe("a link in a mail", () => {
  const kinds: [MailKind, "set-password" | "reset-password" | "resume-order", string][] = [
    ["set-password", "set-password", "/set-password/"],
    ["reset-password", "reset-password", "/reset-password/"],
    ["resume-order", "resume-order", "/resume/"],
    ["signin-reminder", "resume-order", "/resume/"],
  ];

  test.each(kinds)(
    "sends a (%s) link that works once, only for its purpose, stored as a hash",
    async (kind, purpose, path) => {
      const { email, userId, orderId } = await buyerWithOrder();
      const { db, env } = world.context;
      const id = await ask({ kind, dedupeKey: `${kind}:${orderId}`, recipient: email, userId, orderId });
      await sendMail(world.context, id);
      const [mail] = await world.controls.inbox(email);
      const link = new RegExp(`${env.PUBLIC_URL}${path}([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])`);
      const token = link.exec(mail?.text ?? "")?.[1] ?? "";
      expect(token).toHaveLength(43);
      expect(link.exec(mail?.html ?? "")?.[1]).toBe(token);

      const { rows } = await sql<{ text: string }>`
      select to_jsonb(m)::text as text from mails m union all select to_jsonb(t)::text from one_time_tokens t`.execute(
        db,
      );
      const stored = [...rows.map(({ text }) => text), ...(await storedJobs(db))];
      expect(stored.join("\n")).not.toContain(token);

      expect(await peekToken(db, { purpose, token })).toMatchObject({ userId });
      const others = (["set-password", "reset-password", "resume-order"] as const).filter(
        (other) => other !== purpose,
      );
      for (const other of others) expect(await peekToken(db, { purpose: other, token })).toBeNull();
      const use = () => db.transaction().execute((trx) => consumeToken(trx, { purpose, token }));
      const used = await Promise.all([use(), use(), use()]);
      expect(used.filter((holder) => holder !== null)).toMatchObject([{ userId, orderId }]);
      expect(await use()).toBeNull();
    },
  );
});
