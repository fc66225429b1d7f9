/** The rules for a new password, wherever it is chosen: by a mailed link, in My Account, or with an invitation. */
import { wrongField } from "../errors.ts";
import { told } from "../languages/text.ts";

/** In characters. Sign-up has no length rule. */
export const minNewPasswordLength = 8;
export const newPasswordTooShort = told("fields.passwordLength");
export const newPasswordTooCommon = told("access.passwordTooCommon");

/** @throws DomainError bad_request, on the field `password`, when it is too short or too common */
export async function requireNewPassword(password: string): Promise<void> {
  if ([...password].length < minNewPasswordLength) throw wrongField("password", newPasswordTooShort);
  if (await isCommonPassword(password)) throw wrongField("password", newPasswordTooCommon);
}

const commonRefused = 1_000;

let common: Promise<ReadonlySet<string>> | undefined;

/** Whether it is one of the 1,000 most common passwords that are long enough, ignoring case. */
async function isCommonPassword(password: string): Promise<boolean> {
  common ??= loadCommon();
  return (await common).has(password.toLowerCase());
}

/**
 * From zxcvbn's list, the most common first. Loaded on first use, because reading it would cost a starting process a
 * fifth of a second.
 */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const longEnough = dictionary["passwords-common"].filter(({ length }) => length >= minNewPasswordLength);
  return new Set(longEnough.slice(0, commonRefused).map((password) => password.toLowerCase()));
}
