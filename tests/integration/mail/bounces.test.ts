/** Bounced mails: what is marked and suppressed, on whose report, and the exit codes of `npm run mail` for the mail server. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { MailId } from "#db/ids.ts";
import { readMailLog, readSuppressions } from "#server/desk/mail-log.ts";
import { operatorRecipient } from "#server/foundation/outbox/mail.ts";
import { processBounce } from "#server/mail/bounce.ts";
import { sendMail } from "#server/mail/send.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { absence, exchangeReport, postfixReport } from "#tests/support/bounces.ts";
import { queueAnyMail } from "#tests/support/mails.ts";
import { makePerson } from "#tests/support/orders.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, environment } = await startWorld();
const { db } = context;

interface Sent {
  id: MailId;
  email: string;
  messageId: string;
}

async function queued(): Promise<Sent> {
  const { email, userId } = await makePerson(db);
  const dedupeKey = crypto.randomUUID();
  await db
    .transaction()
    .execute((trx) => queueAnyMail(trx, { kind: "reset-password", dedupeKey, recipient: email, userId }));
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirstOrThrow();
  return { id, email, messageId: `<${id}@${new URL(context.env.PUBLIC_URL).hostname}>` };
}

async function sent(): Promise<Sent> {
  const mail = await queued();
  await sendMail(context, mail.id);
  return mail;
}

const take = (report: string) => processBounce(db, Buffer.from(report));
const logged = async ({ email }: Sent) => (await readMailLog(db, { recipient: email })).rows[0];
const suppressed = async ({ email }: Sent) => (await readSuppressions(db, { recipient: email })).rows;
const alertsOf = async ({ id }: Sent) =>
  db.selectFrom("mails").select("recipient").where("dedupe_key", "=", `mail-refused:${id}`).execute();

test.each([
  ["Postfix", postfixReport],
  ["Exchange", exchangeReport],
])("suppresses an address once on a report by %s of permanent failure", async (_who, report) => {
  const mail = await sent();
  const reported = report({ messageId: mail.messageId, recipient: mail.email });
  expect(await take(reported)).toMatchObject({ mailId: mail.id, outcome: "suppressed" });
  expect(await take(reported)).toMatchObject({ outcome: "known" });
  expect(await logged(mail)).toMatchObject({ state: "bounced", sentAt: expect.any(Date) });
  expect((await logged(mail))?.lastError).toMatch(/^it came back: 5\.1\.1/);
  // Servers often repeat the address in their reply.
  expect((await logged(mail))?.lastError).not.toContain(mail.email);
  expect(await suppressed(mail)).toHaveLength(1);
  expect(await alertsOf(mail)).toEqual([{ recipient: operatorRecipient }]);
});

test.each([
  ["a full mailbox", "5.2.2"],
  ["a mail rejected as spam", "5.7.1"],
  ["a server that was down for days", "4.4.7"],
])("marks the mail for %s, and does not suppress its address", async (_what, status) => {
  const mail = await sent();
  const reported = postfixReport({ messageId: mail.messageId, recipient: mail.email, status });
  expect(await take(reported)).toMatchObject({ outcome: "marked", status });
  expect(await logged(mail)).toMatchObject({ state: "bounced" });
  expect(await suppressed(mail)).toEqual([]);
  expect(await alertsOf(mail)).toEqual([]);
});

test("ignores a delay report", async () => {
  const mail = await sent();
  const report = { messageId: mail.messageId, recipient: mail.email, status: "4.4.1", action: "delayed" };
  expect(await take(postfixReport(report))).toMatchObject({ outcome: "delayed" });
  expect(await logged(mail)).toMatchObject({ state: "sent", lastError: null });
});

test("redacts a token in a server's reply", async () => {
  const mail = await sent();
  const token = "k".repeat(43);
  const report = {
    messageId: mail.messageId,
    recipient: mail.email,
    words: `550 see https://x.example/${token}`,
  };
  await take(postfixReport(report));
  expect((await logged(mail))?.lastError).toContain("550 see https://x.example/[removed]");
});

describe("a report that is not valid", () => {
  test.each([
    [
      "a mail about another address",
      ({ messageId }: Sent) => ({ messageId, recipient: "someone@else.example" }),
    ],
    [
      "a mail that we never sent",
      ({ email }: Sent) => ({ messageId: `<${crypto.randomUUID()}@store.example>`, recipient: email }),
    ],
    ["an unknown Message-ID", ({ email }: Sent) => ({ messageId: "<1@x.example>", recipient: email })],
  ])("refuses %s", async (_what, reportOf) => {
    const mail = await sent();
    await expect(take(postfixReport(reportOf(mail)))).rejects.toMatchObject({ code: "bad_request" });
    expect(await logged(mail)).toMatchObject({ state: "sent" });
    expect(await suppressed(mail)).toEqual([]);
  });

  test("refuses an out-of-office reply and a report over the size limit", async () => {
    const mail = await sent();
    await expect(take(absence(mail.messageId))).rejects.toMatchObject({ code: "bad_request" });
    const long =
      postfixReport({ messageId: mail.messageId, recipient: mail.email }) + "x".repeat(1024 * 1024);
    await expect(take(long)).rejects.toMatchObject({ code: "bad_request" });
    expect(await logged(mail)).toMatchObject({ state: "sent" });
  });

  test("ignores a report about a mail that is not sent yet", async () => {
    const mail = await queued();
    const reported = postfixReport({ messageId: mail.messageId, recipient: mail.email });
    expect(await take(reported)).toMatchObject({ outcome: "known" });
    expect(await logged(mail)).toMatchObject({ state: "waiting" });
  });
});

test("reads a report from standard input, and exits with 65 for any other mail", async () => {
  const mail = await sent();
  const run = async (input: string) => {
    const child = spawn(process.execPath, builtCommandArguments("mail", "bounce"), {
      env: { ...process.env, ...environment },
    });
    child.stdin.end(input);
    const [out, error, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on("close", resolve)),
    ]);
    return { out, error, code };
  };
  const report = await run(postfixReport({ messageId: mail.messageId, recipient: mail.email }));
  expect(report).toMatchObject({
    code: 0,
    out: expect.stringContaining("Its address is now suppressed"),
  });
  expect(await suppressed(mail)).toHaveLength(1);
  expect(await run(absence(mail.messageId))).toMatchObject({
    code: 65,
    error: expect.stringContaining("This isn't a bounce report for one of our emails"),
  });
});
