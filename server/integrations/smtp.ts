/** Sends one mail over SMTP. The mail module does queueing, retries and texts. */
import { createTransport } from "nodemailer";
import { headerLine } from "#server/foundation/single-line.ts";
import { ProviderError, type ProviderErrorKind } from "./errors.ts";
import type { OnCall } from "./response.ts";

export interface MailTransportConfig {
  /** `smtp://user:password@host:port` or `smtps://...`. */
  smtpUrl: string;
  /** The sender, as in a From header: `Hubs <orders@example.com>`. */
  from: string;
  /** Milliseconds allowed for connecting, for the greeting, and for each period of silence afterwards. */
  timeoutMs?: number;
  onCall?: OnCall | undefined;
}

/** A file attached to a mail. */
export interface Attachment {
  fileName: string;
  /** "application/pdf" */
  type: string;
  content: Uint8Array;
}

export interface OutgoingMail {
  /** Message-ID header, stored by the caller so that a mail sent twice appears once to its reader: `<uuid@host>`. */
  messageId: string;
  /** Exactly one address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Address to which a mailbox provider posts when the reader uses its unsubscribe button (RFC 8058). */
  unsubscribe?: string | undefined;
  attachments?: readonly Attachment[];
}

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
  /** Connects and logs in without sending. @throws ProviderError as `send` */
  verify(): Promise<void>;
}

/** Creates a transport that opens one connection per mail: workers may die at any time, and a pool would hold mails in memory. */
export function createMailTransport(config: MailTransportConfig): MailTransport {
  const timeout = config.timeoutMs ?? 15_000;
  const transport = createTransport(
    {
      url: config.smtpUrl,
      pool: false,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      dnsTimeout: timeout,
      socketTimeout: timeout,
      // Content that names a file or a URL must stay plain text.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: config.from },
  );
  return {
    /**
     * Resolves once the server has accepted the mail.
     * @throws ProviderError by the SMTP reply: 4xx or no response transient, 5xx refused (RFC 5321).
     */
    async send(mail) {
      const started = performance.now();
      const report = (status: number | null) =>
        config.onCall?.({
          provider: "smtp",
          method: "SEND",
          path: "/",
          status,
          ms: Math.round(performance.now() - started),
          requestId: mail.messageId,
        });
      try {
        await transport.sendMail({
          messageId: mail.messageId,
          // As an object it is a single address, so a comma in it cannot add recipients.
          to: { name: "", address: mail.to },
          subject: headerLine(mail.subject),
          text: mail.text,
          html: mail.html,
          ...(mail.unsubscribe !== undefined && {
            headers: {
              "List-Unsubscribe": `<${mail.unsubscribe}>`,
              "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
          }),
          attachments: (mail.attachments ?? []).map(({ fileName, type, content }) => ({
            filename: fileName,
            contentType: type,
            content: Buffer.from(content),
          })),
        });
        report(250);
      } catch (error) {
        const failure = smtpError(error, "SEND");
        report(failure.status ?? null);
        throw failure;
      }
    },

    async verify() {
      try {
        await transport.verify();
      } catch (error) {
        throw smtpError(error, "VERIFY");
      }
    },
  };
}

/** Code of a permanent refusal: the mailbox does not exist, or accepts no mail from us. */
export const recipientRefused = "recipient_refused";

/** Errors on our side that no retry fixes. Any other error without a reply is the network's. */
const permanentCodes = new Set(["EENVELOPE", "EMESSAGE", "ECONFIG", "ENOAUTH", "EFILEACCESS", "EURLACCESS"]);

function smtpError(error: unknown, call: "SEND" | "VERIFY"): ProviderError {
  const code = property(error, "code");
  const status = property(error, "responseCode");
  const smtpStatus = typeof status === "number" ? status : undefined;
  const kind = kindOf(smtpStatus, typeof code === "string" ? code : undefined);
  const smtpCode = isOfRecipient(error, kind)
    ? recipientRefused
    : typeof code === "string"
      ? code
      : undefined;
  // The server's text often repeats the recipient, so only the codes are kept.
  return new ProviderError("smtp", kind, call, {
    status: smtpStatus,
    code: smtpCode,
  });
}

/**
 * Whether the refusal concerns the recipient's address. For a refused login, sender or message the fault is ours, and the
 * mail goes out once it is fixed. Without a reply, the library itself found no address in its input.
 */
function isOfRecipient(error: unknown, kind: ProviderErrorKind): boolean {
  if (kind !== "refused" || property(error, "code") !== "EENVELOPE") return false;
  return property(error, "command") === "RCPT TO" || property(error, "responseCode") === undefined;
}

function kindOf(status: number | undefined, code: string | undefined): ProviderErrorKind {
  // 503 means that the session went wrong, not that the mail is unwanted: a new connection may succeed.
  if (status !== undefined) return status >= 500 && status !== 503 ? "refused" : "transient";
  return code !== undefined && permanentCodes.has(code) ? "refused" : "transient";
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
