// Mail over a real SMTP server on this machine.
import net from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { createMailTransport } from "#server/integrations/smtp.ts";
import { failureOf } from "./support.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Received {
  recipients: string[];
  raw: string;
}

async function smtp(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const recipients = session.envelope.rcptTo.map((one) => one.address);
        received.push({ recipients, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  closing.push(() => server.close());
  return { url: urlOf(server.server.address()), received };
}

function urlOf(address: string | net.AddressInfo | null): string {
  if (address === null || typeof address === "string") throw new Error("Expected an address with a port");
  return `smtp://127.0.0.1:${address.port}`;
}

const mail = {
  messageId: "<0f8fad5b@hubs.example>",
  to: "asha@contoso.example",
  subject: "Your order is ready",
  text: "Hello",
  html: "<p>Hello</p>",
};
const transport = (smtpUrl: string, timeoutMs = 2000) =>
  createMailTransport({ smtpUrl, from: "Hubs <orders@hubs.example>", timeoutMs });

/** An SMTP refusal in the form that smtp-server expects. */
const refusal = (responseCode: number) => Object.assign(new Error("Go away"), { responseCode });

test("delivers a mail with its id, sender, subject and both bodies", async () => {
  const { url, received } = await smtp();
  await transport(url).send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]?.recipients).toEqual(["asha@contoso.example"]);
  const raw = received[0]?.raw ?? "";
  expect(raw).toContain("Message-ID: <0f8fad5b@hubs.example>");
  expect(raw).toContain("From: Hubs <orders@hubs.example>");
  expect(raw).toContain("Subject: Your order is ready");
  expect(raw).toContain("text/plain");
  expect(raw).toContain("<p>Hello</p>");
});

test("sends to one recipient, and adds no header from a line break", async () => {
  const { url, received } = await smtp();
  const sneaky = {
    ...mail,
    to: "asha@contoso.example, eve@evil.example",
    subject: "Hi\r\nBcc: eve@evil.example",
  };
  await transport(url)
    .send(sneaky)
    .catch(() => {});
  expect(received.flatMap((one) => one.recipients)).not.toContain("eve@evil.example");
  expect(received.some((one) => /^Bcc:/m.test(one.raw))).toBe(false);
});

describe("a failure", () => {
  test.each([
    [421, "transient"],
    [450, "transient"],
    [452, "transient"],
    [503, "transient"],
    [550, "refused"],
    [554, "refused"],
  ])("depends on the reply: %i is %s", async (status, kind) => {
    const { url } = await smtp({ onRcptTo: (_address, _session, done) => done(refusal(status)) });
    const error = await failureOf(transport(url).send(mail));
    expect(error).toMatchObject({ provider: "smtp", kind, status });
    expect(error.message).not.toContain("asha");
  });

  test("counts as refused for a wrong password, without showing it", async () => {
    const { url } = await smtp({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(refusal(535)),
    });
    const error = await failureOf(transport(url.replace("//", "//user:hush@")).send(mail));
    expect(error).toMatchObject({ kind: "refused", status: 535, code: "EAUTH" });
    expect(JSON.stringify(error) + error.message).not.toContain("hush");
  });

  test("counts as transient when no server listens", async () => {
    expect(await failureOf(transport("smtp://127.0.0.1:9").send(mail))).toMatchObject({
      kind: "transient",
      status: undefined,
    });
  });

  test("counts as transient when the server stays silent", async () => {
    const mute = net.createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", () => resolve()));
    closing.push(() => mute.close());
    expect(await failureOf(transport(urlOf(mute.address()), 50).send(mail))).toMatchObject({
      kind: "transient",
      code: "ETIMEDOUT",
    });
  });
});
