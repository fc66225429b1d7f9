/** Staff for tests, their browsers in Desk, and the codes of their authenticator apps. */
import { Secret, TOTP } from "otpauth";
import { staffSessionCookie } from "#app/http/cookies.ts";
import { findStaffByEmail } from "#db/desk/staff.ts";
import type { StaffId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import { createStaffSession } from "#server/desk/sessions.ts";
import { addStaff, completeSetUp, readStaffSetup } from "#server/desk/staff-accounts.ts";
import type { Context } from "#server/platform/context.ts";
import { HttpBrowser, type TestResponse } from "./http-browser.ts";

export const staffPassword = "correct horse battery";

export interface TestStaff {
  id: StaffId;
  email: string;
  /** Secret of their authenticator app, in base32. */
  secret: string;
  recoveryCodes: string[];
}

let made = 0;

/** An app's code at a given time. */
export function codeAt(secret: string, at = new Date()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/**
 * Creates a staff account with password, second factor and recovery codes, set up an hour ago, so that the current code is still
 * unused.
 */
export async function makeStaff(context: Context, role: StaffRole): Promise<TestStaff> {
  made += 1;
  const email = `${role}${made}-${process.pid}@staff.example`;
  const before = new Date(Date.now() - 3_600_000);
  const { path } = await addStaff(context, { email, role }, { by: "test", reason: "test" }, before);
  const token = path.split("/").at(-1) ?? "";
  const { secret } = await readStaffSetup(context, token, before);
  const { recoveryCodes } = await completeSetUp(
    context,
    { token, password: staffPassword, code: codeAt(secret, before) },
    "test",
    before,
  );
  const staff = await findStaffByEmail(context.db, email);
  if (staff === null) throw new Error(`${email} was not made`);
  return { id: staff.id, email, secret, recoveryCodes };
}

/** @param options.verified false for a session that still has to show its second factor */
export async function staffBrowser(
  context: Context,
  origin: string,
  { id }: Pick<TestStaff, "id">,
  { verified = true, now = new Date() }: { verified?: boolean; now?: Date } = {},
): Promise<HttpBrowser> {
  const token = await createStaffSession(context.db, id, { client: "test", isVerified: verified, now });
  const browser = new HttpBrowser(origin);
  const [pair = ""] = (await staffSessionCookie(context.env).serialize(token)).split(";");
  const [name = "", value = ""] = pair.split(/=(.*)/s);
  browser.setCookie(name, value);
  return browser;
}

/** Posts a form with a file, as a browser does. @param file null for an empty file input */
export async function postFile(
  browser: HttpBrowser,
  path: string,
  fields: Readonly<Record<string, string>>,
  file: { name: string; text: string | Uint8Array<ArrayBuffer> } | null,
): Promise<TestResponse> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File(file === null ? [] : [file.text], file?.name ?? ""));
  const made = new Response(form);
  return browser.ask(path, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": made.headers.get("content-type") },
    body: made.body ?? "",
  });
}

/** Runs a staff action. @param more further fields besides the reason */
export function performAction(
  browser: HttpBrowser,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return browser.post(path, { reason: "as agreed", ...more });
}
