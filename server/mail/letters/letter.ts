/** The data that a letter is written from, and the parts that all letters share. */

import { lockUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Mail } from "#db/mail/mails.ts";
import type { Order } from "#db/orders/order.ts";
import type { Country, MailKind, TokenPurpose } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { isSameEmail } from "#server/accounts/invites.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { translateStored } from "#server/foundation/languages/stored-messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { formatDate, formatTime } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import type { MailContent } from "../layout.ts";
import type { templatesIn } from "../templates.ts";

export interface Letter {
  context: Context;
  mail: Mail;
  order: Order | null;
  language: LanguageId;
  /** The mail's data. */
  facts: Readonly<Record<string, string>>;
  /** Texts in the letter's language. */
  templates: ReturnType<typeof templatesIn>;
}

/** Writes a letter. @returns null for a mail that has become pointless since it was queued */
export type WriteLetter = (letter: Letter) => MailContent | null | Promise<MailContent | null>;

export type LettersOf<Kind extends MailKind> = Readonly<Record<Kind, WriteLetter>>;

export function linkTo({ context }: Pick<Letter, "context">, path: string): string {
  return `${context.env.PUBLIC_URL}${path}`;
}

/** Creates a link's token; null when the account's email has changed, because the link is not for this recipient. */
export async function tokenFor(
  { context, mail }: Letter,
  mint: (trx: Trx, userId: UserId) => Promise<string>,
): Promise<string | null> {
  if (mail.userId === null) throw new RangeError(`A ${mail.kind} mail needs a user`);
  const userId = mail.userId;
  return context.db.transaction().execute(async (trx) => {
    // A change of the account's email takes the same lock and invalidates the existing links.
    const user = await lockUser(trx, userId);
    return user === null || !isSameEmail(user.email, mail.recipient) ? null : mint(trx, userId);
  });
}

/** Writes a letter whose link works once. @returns null as tokenFor does */
export async function withLink(
  letter: Letter,
  link: { purpose: TokenPurpose; path: (token: string) => string; ttlSeconds: number },
  say: (link: string) => MailContent,
): Promise<MailContent | null> {
  const { purpose, path, ttlSeconds } = link;
  const token = await tokenFor(letter, (trx, userId) =>
    mintToken(trx, { purpose, userId, orderId: letter.mail.orderId, ttlSeconds }),
  );
  return token === null ? null : say(linkTo(letter, path(token)));
}

/** Returns the country whose time zone dates a mail about an account. */
export async function countryOf({ context, mail }: Letter): Promise<Country> {
  const companies = mail.userId === null ? [] : await listMemberships(context.db, mail.userId);
  return companies[0]?.country ?? standardCountry;
}

/** Formats when the mail was requested, with the time of day. */
export function requestedAt({ mail, language }: Letter, country: Country): string {
  return textIn(language)("mail.when", {
    date: formatDate(mail.createdAt, country, language),
    time: formatTime(mail.createdAt, country, language),
  });
}

/** Formats the vendor's message as a sentence for the order's buyer. */
export function saidIn({ language, facts: { said = "", saidMessage } }: Letter): string {
  return translateStored(language, { text: said, message: saidMessage });
}

export function orderLink(letter: Letter): string {
  return linkTo(letter, letter.order === null ? "" : orderPath(letter.order));
}

/** Returns the invoice's address; null for an order that does not exist or is not paid, since it has no invoice. */
export function invoiceLink(letter: Letter): string | null {
  const { order } = letter;
  return order === null || !isPaid(order) ? null : linkTo(letter, paths.invoice(order.id));
}
