/** Takes in a mail that came back to our sender's address: marks the one it tells of, and suppresses an address that is refused for good. */
import { type MailId, parseId } from "#db/ids.ts";
import { lockMail } from "#db/mail/mails.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { redactTokens } from "#server/foundation/log-options.ts";
import { isPermanentAddressFailure, parseDeliveryReport, type RecipientStatus } from "./delivery-status.ts";
import { markPermanentFailure } from "./permanent-failure.ts";

/** Bytes: a report gives back a mail of ours, which is small, or its headers. */
export const maxReportBytes = 1024 * 1024;
const maxReasonLength = 200;

export interface Bounce {
  mailId: MailId;
  /** known = an earlier report said so already; delayed = it is still on its way. */
  outcome: "suppressed" | "marked" | "known" | "delayed";
  /** RFC 3463, such as "5.1.1". */
  status: string;
}

/**
 * Idempotent: a report that comes twice changes nothing more.
 * @throws DomainError bad_request for what is no report of one of our mails, of which nothing is changed
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

/** The server's codes and words, without the address, which is stored beside, and without what could be a token. */
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
