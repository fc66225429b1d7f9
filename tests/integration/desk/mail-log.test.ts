/**
 * The mail log: filters by recipient, kind, state and order; resending with a reason; suppression of addresses that refuse mail.
 */
import { SMTPServer } from "smtp-server";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { MailId } from "#db/ids.ts";
import { liftSuppression, readMailLog, readSuppressions, resendMail } from "#server/desk/mail-log.ts";
import { operatorRecipient } from "#server/foundation/outbox/mail.ts";
import { createMailTransport } from "#server/integrations/smtp.ts";
import { sendMail } from "#server/mail/send.ts";
import { type AnyMail, queueAnyMail } from "#tests/support/mails.ts";
import { anonymousRequester, makeOrder, makePerson } from "#tests/support/orders.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, controls } = await startWorld();
const { db } = context;
const act = { by: "meera", reason: "the customer asked for it" };

let requested = 0;
async function ask(request: Partial<AnyMail> & Pick<AnyMail, "recipient">): Promise<MailId> {
  requested += 1;
  const dedupeKey = `log:${requested}`;
  await db.transaction().execute((trx) => queueAnyMail(trx, { kind: "set-password", dedupeKey, ...request }));
  const row = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A mail server that permanently refuses every recipient. */
const refusing = await (async () => {
  let tries = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, done) {
      tries += 1;
      done(Object.assign(new Error("No such user"), { responseCode: 550 }));
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = z.object({ port: z.number() }).parse(server.server.address());
  const mail = createMailTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from: context.env.MAIL_FROM });
  return { context: { ...context, mail }, tries: () => tries };
})();

const auditOf = (subject: string) =>
  db.selectFrom("audit_log").select(["action", "data"]).where("subject", "=", subject).execute();

describe("the log", () => {
  test("pages newest first, each mail once, while more are queued", async () => {
    const { email, userId } = await makePerson(db);
    const ids: MailId[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await ask({ recipient: email, userId }));
    const seen: MailId[] = [];
    let page: string | undefined;
    do {
      const read = await readMailLog(db, { recipient: email.toUpperCase(), limit: 2, page });
      seen.push(...read.rows.map(({ id }) => id));
      page = read.nextPage ?? undefined;
      await ask({ recipient: email, userId });
    } while (page !== undefined);
    expect(seen).toEqual(ids.toReversed());
  });

  test("filters by kind, state and order, and omits a mail's data", async () => {
    const { email, userId } = await makePerson(db);
    const orderId = await makeOrder(db, { requester: { ...anonymousRequester, userId } });
    const sent = await ask({ recipient: email, userId, orderId, kind: "order-confirmation" });
    await sendMail(context, sent);
    const waiting = await ask({ recipient: email, userId });
    const found = async (query: Parameters<typeof readMailLog>[1]) =>
      (await readMailLog(db, { recipient: email, ...query })).rows.map(({ id }) => id);
    expect(await found({ state: "sent" })).toEqual([sent]);
    expect(await found({ state: "waiting" })).toEqual([waiting]);
    expect(await found({ state: "refused" })).toEqual([]);
    expect(await found({ kind: "order-confirmation" })).toEqual([sent]);
    expect(await found({ orderId })).toEqual([sent]);
    const { rows } = await readMailLog(db, { recipient: email });
    expect(rows.filter((row) => "data" in row)).toEqual([]);
    await expect(readMailLog(db, { page: "nonsense" })).rejects.toThrow();
  });
});

describe("resending a mail", () => {
  test("queues a new mail with the same data and recipient, and records the reason", async () => {
    const { email, userId } = await makePerson(db);
    const orderId = await makeOrder(db, { requester: { ...anonymousRequester, userId } });
    const id = await ask({ recipient: email, userId, orderId, kind: "order-confirmation" });
    await sendMail(context, id);
    const again = await resendMail(db, id, act);
    expect((await queuedJobs(db)).filter(({ key }) => key === `mail:${again}`)).toHaveLength(1);
    await sendMail(context, again);
    const [one, other, ...more] = await controls.inbox(email);
    expect(more).toEqual([]);
    expect([other?.subject, other?.text]).toEqual([one?.subject, one?.text]);
    expect(await auditOf(`order:${orderId}`)).toContainEqual({
      action: "mail.resent",
      data: { ...act, mail: id, again, kind: "order-confirmation" },
    });
  });

  test("refuses a mail that is still waiting or does not exist", async () => {
    const { email, userId } = await makePerson(db);
    const id = await ask({ recipient: email, userId });
    await expect(resendMail(db, id, act)).rejects.toMatchObject({ code: "conflict" });
    const nowhere = "00000000-0000-4000-8000-000000000000" as MailId;
    await expect(resendMail(db, nowhere, act)).rejects.toMatchObject({ code: "not_found" });
    expect(await auditOf(`mail:${id}`)).toEqual([]);
  });
});

describe("an address with a permanent refusal", () => {
  test("alerts the operator once, and receives nothing until its suppression is lifted", async () => {
    const { email, userId } = await makePerson(db);
    const refused = await ask({ recipient: email, userId });
    const next = await ask({ recipient: email.toUpperCase(), userId });
    await sendMail(refusing.context, refused);
    expect(refusing.tries()).toBe(1);
    expect((await readSuppressions(db)).rows).toContainEqual({
      email: email.toLowerCase(),
      reason: expect.stringContaining("550"),
      mailId: refused,
      since: expect.any(Date),
    });

    // The server would accept it now, but it is not sent.
    await sendMail(context, next);
    expect(await controls.inbox(email)).toEqual([]);
    const states = (await readMailLog(db, { recipient: email })).rows.map(({ id, state }) => [id, state]);
    expect(states).toEqual([
      [next, "withheld"],
      [refused, "refused"],
    ]);
    for (const [id, state] of [
      [next, "withheld"],
      [refused, "refused"],
    ] as const) {
      const { rows } = await readMailLog(db, { recipient: email, state });
      expect(rows.map((mail) => mail.id)).toEqual([id]);
    }
    const log = await readMailLog(db, { recipient: operatorRecipient, kind: "operator-alert" });
    const ofThis = await db
      .selectFrom("mails")
      .select("data")
      .where(
        "id",
        "in",
        log.rows.map(({ id }) => id),
      )
      .execute();
    expect(ofThis.filter(({ data }) => JSON.stringify(data).includes(email))).toHaveLength(1);

    await expect(resendMail(db, refused, act)).rejects.toMatchObject({ code: "conflict" });
    await liftSuppression(db, email.toUpperCase(), act);
    await sendMail(context, await resendMail(db, refused, act));
    expect(await controls.inbox(email)).toHaveLength(1);
    expect(await auditOf(`mail:${refused}`)).toContainEqual({ action: "mail-suppression.lifted", data: act });
    await expect(liftSuppression(db, email, act)).rejects.toMatchObject({ code: "not_found" });
  });

  test("does not suppress the operator's address", async () => {
    const id = await ask({
      recipient: operatorRecipient,
      kind: "operator-alert",
      data: { what: "Look here" },
    });
    await sendMail(refusing.context, id);
    expect((await readSuppressions(db)).rows.filter(({ mailId }) => mailId === id)).toEqual([]);
    const later = await ask({
      recipient: operatorRecipient,
      kind: "operator-alert",
      data: { what: "Look there" },
    });
    await sendMail(context, later);
    expect((await controls.inbox(context.env.OPERATOR_EMAIL)).length).toBeGreaterThan(0);
  });
});
