/** Takes in a mail that came back to our sender's address: marks the one it tells of, and suppresses an address that is refused for good. */
import { type MailId, parseId } from "#db/ids.ts";
import { lockMail } from "#db/mails.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/errors.ts";
import { withoutTokens } from "#server/log-options.ts";
import { isOfAddress, type RecipientStatus, readDeliveryReport } from "./delivery-status.ts";
import { giveUpMail } from "./give-up.ts";

/** Bytes: a report gives back a mail of ours, which is small, or its headers. */
export const largestReport = 1024 * 1024;
const longestWords = 200;

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
export async function takeBounce(db: Db, message: Uint8Array): Promise<Bounce> {
  if (message.byteLength > largestReport) throw noReport("it is longer than a report is");
  const report = await readDeliveryReport(message).catch(() => null);
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
    const isSuppressed = await giveUpMail(trx, mail, {
      reason: reasonOf(status, recipient),
      isAddress: isOfAddress(status.status),
    });
    return { ...known, outcome: isSuppressed ? ("suppressed" as const) : ("marked" as const) };
  });
}

/** The server's codes and words, without the address, which is stored beside, and without what could be a token. */
function reasonOf({ status, words }: RecipientStatus, recipient: string): string {
  if (words === null) return `it came back: ${status}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a stranger wrote is shown to people
  const clean = words.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").toLowerCase();
  const shown = withoutTokens(clean.replaceAll(recipient, "the address")).slice(0, longestWords);
  return `it came back: ${status}, ${shown}`;
}

function noReport(why: string): DomainError {
  return new DomainError("bad_request", `This is no report that a mail of ours was not delivered: ${why}.`);
}
