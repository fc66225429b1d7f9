/**
 * `npm run documents`: for the operator, shows the registration of invoices and credit notes at the invoice registration portal,
 * and changes it.
 *   -- list                                     documents that are not registered, the oldest first
 *   -- show NUMBER                              one document, and the portal's last response
 *   -- retry NUMBER --reason "..."              retries a failed one
 *   -- cancel NUMBER --code 1 --reason "..."    cancels a registered one, within 24 hours
 *   -- register                                 registers those issued before EINVOICE_* was set, up to 29 days old
 *
 * NUMBER is the document's, IN/26-27/000123. Needs DATABASE_URL and no other setting, except that register needs a worker's
 * settings.
 */
import { parseArgs } from "node:util";
import { type EInvoice, findEInvoice, listUnregistered } from "#db/billing/e-invoices.ts";
import type { Db } from "#db/tables/index.ts";
import {
  cancelReasons,
  type RegistrationCancellation,
  requestRegistrationCancellation,
} from "#server/billing/documents/cancel-registration.ts";
import { registerEarlier } from "#server/billing/documents/register-earlier.ts";
import { noDocument, retryDocument } from "#server/billing/documents/registration-queue.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { readEnv } from "#server/platform/env.ts";
import { currentOsUser, runOperatorCommand } from "./operator.ts";

const codes = Object.entries(cancelReasons).map(([code, meaning]) => `${code} ${meaning}`);
const usage = `npm run documents -- list
npm run documents -- show NUMBER
npm run documents -- retry NUMBER --reason "what was done about it"
npm run documents -- cancel NUMBER --code CODE --reason "why"   (${codes.join(", ")})
npm run documents -- register`;
const most = 200;

await runOperatorCommand(run);

async function run(db: Db, args: string[]): Promise<void> {
  const input = readArguments(args);
  switch (input.act) {
    case "list": {
      const documents = await listUnregistered(db, most);
      for (const document of documents) console.log(lineOf(document));
      console.log(documents.length === 0 ? "All documents are registered." : `${documents.length} shown.`);
      return;
    }
    case "show": {
      const document = await findEInvoice(db, input.number);
      if (document === null) throw noDocument();
      return show(document);
    }
    case "retry":
      await retryDocument(db, input.number, { reason: input.reason, by: currentOsUser() });
      console.log(`${input.number} will be registered: npm run documents -- show ${input.number}`);
      return;
    case "cancel":
      await requestRegistrationCancellation(db, input.number, {
        code: input.code,
        words: input.reason,
        by: currentOsUser(),
        now: new Date(),
      });
      console.log(`${input.number} will be cancelled: npm run documents -- show ${input.number}`);
      return;
    case "register": {
      const env = readEnv(process.env);
      if (env.eInvoiceAccounts.size === 0)
        throw new DomainError(
          "conflict",
          "No e-invoice portal account is configured. Set EINVOICE_URL_IN and its three related settings.",
        );
      const queued = await registerEarlier(db, env, { by: currentOsUser(), now: new Date() });
      for (const number of queued) console.log(number);
      console.log(queued.length === 0 ? "Nothing to register." : `${queued.length} will be registered.`);
      return;
    }
  }
}

type CommandInput =
  | { act: "list" | "register" }
  | { act: "show"; number: string }
  | { act: "retry"; number: string; reason: string }
  | { act: "cancel"; number: string; reason: string; code: RegistrationCancellation["code"] };

/** @throws DomainError bad_request with the usage */
function readArguments(args: string[]): CommandInput {
  const wrong = (why: string) => new DomainError("bad_request", `${why}\n${usage}`);
  const { values, positionals } = parse(args, wrong);
  const [act, number, ...more] = positionals;
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}". Put the reason in quotes.`);
  if ((act === "list" || act === "register") && number === undefined) return { act };
  if (act !== "show" && act !== "retry" && act !== "cancel") throw wrong("Unknown command.");
  if (number === undefined)
    throw wrong("Missing document number. Find it in the alert email or with `list`.");
  if (act === "show") return { act, number };
  const reason = values.reason?.trim() ?? "";
  if (reason === "" || reason.length > 100)
    throw wrong("Missing --reason (up to 100 characters). It's kept in the audit log.");
  if (act === "retry") return { act, number, reason };
  const { code = "" } = values;
  if (!isCode(code)) throw wrong(`Missing --code. Use one of: ${codes.join(", ")}.`);
  return { act, number, reason, code };
}

function isCode(text: string): text is RegistrationCancellation["code"] {
  return Object.hasOwn(cancelReasons, text);
}

function parse(args: string[], wrong: (why: string) => DomainError) {
  try {
    const options = { reason: { type: "string" }, code: { type: "string" } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "Unknown arguments.");
  }
}

function show(document: EInvoice): void {
  console.log(lineOf(document));
  const { irn, acknowledgement, orderId, tries, nextTryAt, cancelledAt } = document;
  console.log(`  order        ${orderId ?? "none"}`);
  console.log(`  IRN          ${irn}${acknowledgement === null ? " (as computed)" : ""}`);
  if (acknowledgement !== null)
    console.log(
      `  acknowledged ${acknowledgement.ackNumber}, ${acknowledgement.acknowledgedAt.toISOString()}`,
    );
  console.log(
    `  tries        ${tries}${nextTryAt === null ? "" : `, the next at ${nextTryAt.toISOString()}`}`,
  );
  if (cancelledAt !== null) console.log(`  cancelled    ${cancelledAt.toISOString()}`);
  console.log(`  sent         ${JSON.stringify(document.body)}`);
}

function lineOf({ number, kind, state, issuedAt, errorCode, errorWords }: EInvoice): string {
  const error = errorCode === null ? "" : `\n    ${errorCode}: ${errorWords ?? ""}`;
  return `${number}  ${kind}  ${state}  issued ${issuedAt.toISOString()}${error}`;
}
