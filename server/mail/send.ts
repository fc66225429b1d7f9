/**
 * The job that sends one mail. A link's token is created while its letter is written, so that none is ever stored in clear text.
 */
import { z } from "zod";
import { type InviteId, type MailId, parseId } from "#db/ids.ts";
import {
  findSuppression,
  findUnsentMail,
  type Mail,
  markMailSent,
  markMailWithheld,
} from "#db/mail/mails.ts";
import type { Order } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { findInvite } from "#server/accounts/invites.ts";
import { isWanted, mintUnsubscribeToken, topicOf } from "#server/accounts/mail-preferences.ts";
import { findUser, findUserByEmail } from "#server/accounts/users.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { brand } from "#server/foundation/brand.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { isLanguage, type LanguageId, standardLanguage } from "#server/foundation/languages/language.ts";
import { operatorRecipient } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { recipientRefused } from "#server/integrations/smtp.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { type RenderedMail, renderMail, type Sender } from "./layout.ts";
import { letters } from "./letters.ts";
import { markPermanentFailure } from "./permanent-failure.ts";
import { templatesIn } from "./templates.ts";

/**
 * Sends a mail once. A permanent refusal of the address is stored with the mail and not retried, and suppresses the address.
 * @throws ProviderError when the mail server refuses it for now, or for a reason on our side; the queue retries
 */
export async function sendMail(context: Context, mailId: MailId): Promise<void> {
  const { db, env, log } = context;
  const mail = await findUnsentMail(db, mailId);
  if (mail === null) return;
  if (mail.recipient !== operatorRecipient && (await findSuppression(db, mail.recipient)) !== null) {
    log.warn({ mailId, kind: mail.kind }, "a mail to a suppressed address was not sent");
    await markMailWithheld(db, mail.id, suppressed);
    return;
  }
  const topic = mail.userId === null ? null : topicOf(mail);
  if (mail.userId !== null && topic !== null && !(await isWanted(db, mail.userId, topic))) {
    log.info({ mailId, kind: mail.kind }, "a mail that its reader has switched off was not sent");
    await markMailWithheld(db, mail.id, switchedOff);
    return;
  }
  const unsubscribe =
    mail.userId === null || topic === null
      ? undefined
      : `${env.PUBLIC_URL}${paths.unsubscribe(await mintUnsubscribeToken(db, mail.userId, topic))}`;
  const written = await write(context, mail, unsubscribe);
  // The Message-ID comes from the row, so that a reader sees one mail even if it is sent again after a crash.
  const messageId = `<${mail.id}@${new URL(env.PUBLIC_URL).hostname}>`;
  const to = mail.recipient === operatorRecipient ? env.OPERATOR_EMAIL : mail.recipient;
  try {
    if (written !== null) await context.mail.send({ messageId, to, unsubscribe, ...written });
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === recipientRefused)) throw error;
    log.warn({ err: error, mailId, kind: mail.kind }, "a mail was refused for good");
    const reason = error.message;
    await db.transaction().execute((trx) => markPermanentFailure(trx, mail, { reason, isAddress: true }));
    return;
  }
  await markMailSent(db, mail.id);
}

/** Reasons for not sending a mail, in addition to servers' replies. */
const suppressed = "the address is suppressed: its server refused an earlier mail for good";

const switchedOff = "its reader has switched mails of this kind off";

const data = z.record(z.string(), z.string());

/** @returns null for a mail that has become pointless since it was queued */
async function write(
  context: Context,
  mail: Mail,
  unsubscribe: string | undefined,
): Promise<RenderedMail | null> {
  const { db, env } = context;
  const order = mail.orderId === null ? null : await findOrder(db, mail.orderId);
  const language = await languageOf(db, mail, order);
  const facts = data.parse(mail.data);
  const content = await letters[mail.kind]({
    context,
    mail,
    order,
    language,
    facts,
    templates: templatesIn(language),
  });
  if (content === null) return null;
  const country = content.country ?? order?.country ?? standardCountry;
  return renderMail({ ...content, unsubscribe }, language, senderIn(env, country));
}

/** Returns the order's language, else the reader's. */
async function languageOf(db: Db, mail: Mail, order: Order | null): Promise<LanguageId> {
  if (mail.recipient === operatorRecipient) return standardLanguage;
  const requested = data.parse(mail.data).language;
  const known = order?.language ?? requested ?? (await readerOf(db, mail))?.language ?? null;
  return known !== null && isLanguage(known) ? known : standardLanguage;
}

/** Finds the user whose language a mail uses: its reader, or the inviter of a person without a known language. */
async function readerOf(db: Db, mail: Mail): Promise<{ language: string | null } | null> {
  if (mail.userId !== null) return findUser(db, mail.userId);
  const reader = await findUserByEmail(db, mail.recipient);
  const inviteId = parseId<InviteId>(data.parse(mail.data).inviteId);
  if (reader?.language != null || inviteId === null) return reader;
  const by = (await findInvite(db, inviteId, new Date()))?.invitedBy ?? null;
  return by === null ? null : findUser(db, by);
}

/** Returns the mail's signature: the country's seller and its support phone. */
function senderIn(env: Env, country: Country): Sender {
  const phone = brand.phones.find((each) => each.country === country)?.support ?? null;
  // A store that sells only elsewhere has no seller in the standard country.
  const signing = env.sellers.has(country) ? country : ([...env.sellers.keys()][0] ?? country);
  const { name, addressLines, gst } = supplierOf(env, signing);
  return { name, addressLines, gstin: gst?.gstin ?? null, phone };
}
