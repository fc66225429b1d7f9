/**
 * `npm run mail`: for the mail server that receives mail for MAIL_FROM.
 *   -- bounce < MESSAGE    processes a report that one of our mails was not delivered (RFC 3464)
 *
 * Any other message is refused with exit code 65 (EX_DATAERR of sysexits.h), so that the mail server passes it on to a person.
 * Needs DATABASE_URL and no other setting.
 */
import { buffer } from "node:stream/consumers";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type Bounce, processBounce } from "#server/mail/bounce.ts";
import { runOperatorCommand } from "./operator.ts";

const usage = "npm run mail -- bounce < MESSAGE";
const dataError = 65;

const said: Readonly<Record<Bounce["outcome"], string>> = {
  suppressed: "Bounced. Its address is now suppressed.",
  marked: "Bounced because of this email, so its address isn't suppressed.",
  known: "Bounce already recorded.",
  delayed: "Still being delivered. Nothing changed.",
};

await runOperatorCommand(run, dataError);

async function run(db: Db, [act, ...more]: string[]): Promise<void> {
  if (act !== "bounce" || more.length > 0) throw new DomainError("bad_request", usage);
  const { mailId, outcome, status } = await processBounce(db, await buffer(process.stdin));
  console.log(`Mail ${mailId} (${status}): ${said[outcome]}`);
}
