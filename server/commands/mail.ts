/**
 * `npm run mail`: for the mail server that takes what is sent to MAIL_FROM.
 *   -- bounce < MESSAGE    takes in a report that a mail of ours was not delivered (RFC 3464)
 * What is none is refused with exit code 65 (EX_DATAERR of sysexits.h), so that the mail server passes it on to a person. Needs DATABASE_URL
 * and no other setting.
 */
import { buffer } from "node:stream/consumers";
import type { Db } from "#db/tables/index.ts";
import { DomainError } from "#server/errors.ts";
import { type Bounce, takeBounce } from "#server/mail/bounce.ts";
import { runForOperator } from "./operator.ts";

const usage = "npm run mail -- bounce < MESSAGE";
const dataError = 65;

const said: Readonly<Record<Bounce["outcome"], string>> = {
  suppressed: "It did not arrive, and nothing more is sent to its address.",
  marked: "It did not arrive. Its address is not suppressed, since the reason lies with this mail.",
  known: "That it did not arrive is known.",
  delayed: "It is still on its way: nothing is changed.",
};

await runForOperator(run, dataError);

async function run(db: Db, [act, ...more]: string[]): Promise<void> {
  if (act !== "bounce" || more.length > 0) throw new DomainError("bad_request", usage);
  const { mailId, outcome, status } = await takeBounce(db, await buffer(process.stdin));
  console.log(`Mail ${mailId} (${status}): ${said[outcome]}`);
}
