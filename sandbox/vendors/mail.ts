/**
 * The store's outgoing mail: an SMTP server that keeps everything (the last 500) instead of delivering it, and an inbox to read
 * it, as a page at `/inbox` and as JSON at `/inbox.json`. A message is on disk before SMTP confirms it.
 */
import { createHash } from "node:crypto";
import { type HttpHandler, HttpResponse, http } from "msw";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { escapeHtml, html, Markup, page } from "./html.ts";
import { anyOrigin, guid } from "./http-helpers.ts";
import type { Sandbox } from "./sandbox.ts";
import type { MailMessage } from "./state-schemas.ts";

const messagesKept = 500;
const maxMessageBytes = 5 * 1024 * 1024;

/** @returns the listening server; `port` 0 picks a free one */
export async function startSmtp(sandbox: Sandbox, port: number, host: string): Promise<SMTPServer> {
  const server = new SMTPServer({
    banner: "sandbox",
    authOptional: true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    size: maxMessageBytes,
    closeTimeout: 200,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? "anyone" }),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        receive(sandbox, Buffer.concat(chunks), recipients).then(
          () => callback(),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
        );
      });
    },
  });
  server.on("error", (error) => sandbox.options.log("smtp error", { error: String(error) }));
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  return server;
}

/** The address of a mailbox provider's unsubscribe button: only where both headers allow it. */
function oneClickOf(headers: readonly { key: string; value: string }[]): string {
  const said = (name: string) => headers.find(({ key }) => key === name)?.value ?? "";
  if (said("list-unsubscribe-post") !== "List-Unsubscribe=One-Click") return "";
  return /<(https?:[^>]+)>/.exec(said("list-unsubscribe"))?.[1] ?? "";
}

async function receive(sandbox: Sandbox, raw: Buffer, recipients: readonly string[]): Promise<void> {
  const parsed = await PostalMime.parse(raw);
  const { mail } = sandbox.state;
  mail.push({
    id: guid(),
    from: parsed.from?.address ?? "",
    to: recipients.join(", "),
    subject: parsed.subject ?? "",
    text: parsed.text ?? "",
    html: parsed.html ?? "",
    unsubscribe: oneClickOf(parsed.headers),
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => {
      const file = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
      return {
        name: filename ?? "",
        type: mimeType,
        bytes: file.length,
        sha256: createHash("sha256").update(file).digest("hex"),
      };
    }),
    receivedAt: new Date(sandbox.now()).toISOString(),
  });
  mail.splice(0, mail.length - messagesKept);
  sandbox.count("mail.receive");
  await sandbox.save();
}

export function inboxHandlers(sandbox: Sandbox): HttpHandler[] {
  /** Newest first; `?to=` selects one recipient's. */
  const messages = (request: Request): MailMessage[] => {
    const to = new URL(request.url).searchParams.get("to")?.toLowerCase();
    const all = sandbox.state.mail.toReversed();
    return to === undefined
      ? all
      : all.filter((message) => message.to.toLowerCase().split(", ").includes(to));
  };
  return [
    http.get(anyOrigin("/inbox.json"), ({ request }) => HttpResponse.json(messages(request))),
    http.get(anyOrigin("/inbox"), ({ request }) => HttpResponse.html(listPage(messages(request)))),
    http.get(anyOrigin("/inbox/:id"), ({ params }) => {
      const message = sandbox.state.mail.find(({ id }) => id === params.id);
      if (message === undefined)
        return HttpResponse.html(listPage(sandbox.state.mail.toReversed()), { status: 404 });
      return HttpResponse.html(messagePage(message));
    }),
  ];
}

function listPage(messages: readonly MailMessage[]): string {
  const rows = messages.map(
    ({ id, to, subject, receivedAt }) => html`<tr>
<td><a href="/inbox/${id}">${subject === "" ? "(no subject)" : subject}</a></td><td>${to}</td>
<td><time datetime="${receivedAt}">${receivedAt.slice(0, 19).replace("T", " ")} UTC</time></td></tr>\n`,
  );
  return page({
    title: "Inbox (sandbox)",
    wide: true,
    body: html`<h1>Inbox</h1>
<p class="note">Every mail the store has sent, to whomever. Nothing leaves this machine. <a href="/inbox">Refresh</a> <a href="/bank">The buyer's bank</a></p>
${
  messages.length === 0
    ? html`<p>No mail yet.</p>`
    : html`<table class="mails"><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Received</th></tr></thead>
<tbody>
${rows}</tbody></table>`
}`,
  });
}

function messagePage({ subject, from, to, receivedAt, text, html: markup }: MailMessage): string {
  const title = subject === "" ? "(no subject)" : subject;
  return page({
    title,
    wide: true,
    body: html`<p class="note"><a href="/inbox">Back to the inbox</a></p>
<h1>${title}</h1>
<p class="note">From ${from} to ${to}, ${receivedAt}</p>
${markup === "" ? undefined : frame(markup)}
${text === "" ? undefined : html`<h2>As plain text</h2><pre>${linked(text)}</pre>`}`,
  });
}

/** The mail's own markup, in a frame without scripts; its links open in place of the inbox. */
function frame(markup: string): Markup {
  // Inside the head, because before the doctype it would switch the browser to quirks mode.
  const head = '<base target="_top">';
  const framed = markup.includes("<head>") ? markup.replace("<head>", `<head>${head}`) : `${head}${markup}`;
  return html`<iframe title="Message" sandbox="allow-top-navigation-by-user-activation"
srcdoc="${framed}"></iframe>`;
}

/** Text with clickable web addresses; a full stop or bracket after one belongs to the sentence. */
function linked(text: string): Markup {
  const parts = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/);
  // Every second part is a match of the pattern.
  return new Markup(
    parts
      .map((part, index) =>
        index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
      )
      .join(""),
  );
}
