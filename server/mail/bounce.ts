/** Processes bounces to our sender's address: marks the mail as failed, and suppresses an address that is refused permanently. */
import { type MailId, parseId } from "#db/ids.ts";
import { lockMail } from "#db/mail/mails.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { redactTokens } from "#server/foundation/log-options.ts";
import { isPermanentAddressFailure, parseDeliveryReport, type RecipientStatus } from "./delivery-status.ts";
import { markPermanentFailure } from "./permanent-failure.ts";

/** Limit in bytes. A report contains one of our mails, which is small, or its headers. */
export const maxReportBytes = 1024 * 1024;
const maxReasonLength = 200;

export interface Bounce {
  mailId: MailId;
  /** known: an earlier report said the same. delayed: the server is still trying. */
  outcome: "suppressed" | "marked" | "known" | "delayed";
  /** RFC 3463, such as "5.1.1". */
  status: string;
}

/**
 * Processes a report; idempotent, so that one that arrives twice changes nothing more.
 * @throws DomainError bad_request for a message that is not a report about one of our mails; nothing is changed
 */
export async function processBounce(db: Db, message: Uint8Array): Promise<Bounce> {
  if (message.byteLength > maxReportBytes) throw noReport("it is longer than a report is");
  const report = await parseDeliveryReport(message).catch(() => null);
  if (report === null) throw noReport("it has no message/delivery-status");
  const mailId = parseId<MailId>(report.messageId?.split("@")[0]);
  if (mailId === null) throw noReport("it gives back no Message-ID of ours");
  return db.transaction().execute(async (trx) => {
    const mail = await lockMail(trx, mailId);
    if (mail === null) throw noReport("there is no such mail");
    const recipient = mail.recipient.toLowerCase();
    const status = report.recipients.find(({ addresses }) => addresses.includes(recipient));
    if (status === undefined) throw noReport("it is about somebody to whom the mail did not go");
    const known = { mailId, status: status.status };
    if (status.action !== "failed") return { ...known, outcome: "delayed" as const };
    if (mail.state !== "sent") return { ...known, outcome: "known" as const };
    const isSuppressed = await markPermanentFailure(trx, mail, {
      reason: reasonOf(status, recipient),
      isAddress: isPermanentAddressFailure(status.status),
    });
    return { ...known, outcome: isSuppressed ? ("suppressed" as const) : ("marked" as const) };
  });
}

/**
 * Formats the server's codes and text, without the address, which is stored separately, and without anything that could be a
 * token.
 */
function reasonOf({ status, words }: RecipientStatus, recipient: string): string {
  if (words === null) return `it came back: ${status}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a stranger wrote is shown to people
  const clean = words.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").toLowerCase();
  const shown = redactTokens(clean.replaceAll(recipient, "the address")).slice(0, maxReasonLength);
  return `it came back: ${status}, ${shown}`;
}

function noReport(why: string): DomainError {
  return new DomainError("bad_request", `This isn't a bounce report for one of our emails: ${why}.`);
}
