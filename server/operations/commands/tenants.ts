/**
 * `npm run tenants`: imports customers' existing tenants from a file that is compared before it applies (docs/operate/desk.md).
 *   -- import FILE --dry-run     reports the effects of the file, and writes nothing
 *   -- import FILE               reports them, and binds the new tenants
 *
 * Ends with 2 when the file has lines that are not bound, and with 1 for a wrong request.
 */
import { createReadStream, existsSync } from "node:fs";
import { applyTenantImport, compareTenantImport } from "#server/desk/tenant-import.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { FileError, fileText } from "#server/foundation/file-text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { commandContext, currentOsUser } from "./operator.ts";

const usage = "npm run tenants -- import FILE [--dry-run]";
const hasLeftOut = 2;

const context = commandContext("tenants");
try {
  await run(process.argv.slice(2));
} catch (error) {
  // Prints one sentence for a wrong request or a vendor's refusal, and the stack for a fault of ours.
  if (!(error instanceof DomainError || error instanceof ProviderError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

async function run([act, file, option, ...more]: string[]): Promise<void> {
  const isKnown = option === undefined || option === "--dry-run";
  if (act !== "import" || file === undefined || !isKnown || more.length > 0)
    throw new DomainError("bad_request", `Unknown command.\n${usage}`);
  const text = await textIn(file);
  const { lines, counts, digest } = await compareTenantImport(context, text);
  for (const { line, what, outcome, said } of lines)
    console.log(`Line ${line}: ${outcome}. ${what}. ${said}`);
  console.log(
    `${counts.new} new, ${counts.there} already there, ${counts.elsewhere} of another company, ${counts.malformed} invalid.`,
  );
  if (counts.elsewhere + counts.malformed > 0) process.exitCode = hasLeftOut;
  if (option === "--dry-run" || counts.new === 0) {
    console.log("Dry run: nothing was saved.");
    return;
  }
  const audit = { by: currentOsUser(), reason: `npm run tenants, ${file}` };
  await applyTenantImport(context, text, { confirmed: digest, audit });
  console.log(`${counts.new === 1 ? "1 tenant is" : `${counts.new} tenants are`} linked.`);
}

async function textIn(file: string): Promise<string> {
  if (!existsSync(file)) throw new DomainError("bad_request", `Can't read ${file}.`);
  let text = "";
  try {
    for await (const piece of fileText(createReadStream(file))) text += piece;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new DomainError("bad_request", error.message, { cause: error });
  }
  return text;
}
