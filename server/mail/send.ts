/** The job that sends one mail. Tokens for links are made here, so that none is ever stored in clear text. */
import { z } from "zod";
import { findEInvoice } from "#db/e-invoices.ts";
import {
  type CancellationId,
  type InviteId,
  type MailId,
  parseId,
  type RefundId,
  type UserId,
} from "#db/ids.ts";
import { findSuppression, findUnsentMail, type Mail, markMailSent, markMailWithheld } from "#db/mails.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import { findPaymentLink } from "#db/payment-links.ts";
import { findIntent } from "#db/payments.ts";
import { findRefund } from "#db/refunds.ts";
import type { Country, TokenPurpose } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { lockUser } from "#db/users.ts";
import { accountNotice as accountNotices } from "#server/accounts/account-notifications.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { codeMinutes, codeOf } from "#server/accounts/identity-proofs.ts";
import { findInvite, isSameEmail } from "#server/accounts/invites.ts";
import { isWanted, mintUnsubscribeToken, topicOf } from "#server/accounts/mail-preferences.ts";
import { mailedCodeMinutes } from "#server/accounts/mailed-code.ts";
import {
  mintAdministratorToken,
  mintCode,
  mintInviteToken,
  mintRenewalToken,
  mintToken,
} from "#server/accounts/one-time-tokens.ts";
import { findUser, findUserByEmail } from "#server/accounts/users.ts";
import { brand } from "#server/brand.ts";
import { readCancellationMailFacts } from "#server/cancellations/read.ts";
import type { Context } from "#server/context.ts";
import { explainRefusal } from "#server/countries/portal-refusals.ts";
import { standardCountry } from "#server/countries/registry.ts";
import { readCredentials } from "#server/credentials/credentials.ts";
import { findCreditNote } from "#server/documents/credit-note.ts";
import { findProformaOf } from "#server/documents/proforma.ts";
import { bankLines } from "#server/documents/proforma-view.ts";
import { supplierOf } from "#server/documents/supplier.ts";
import type { Env } from "#server/env.ts";
import { assertNever } from "#server/errors.ts";
import { administratorOf, families } from "#server/families/family.ts";
import { approvalOf, isApprovalPending, requestDays } from "#server/fulfilment/approval.ts";
import { identityProviders, storedIdentityProvider } from "#server/identity-providers/registry.ts";
import { isLanguage, type LanguageId, standardLanguage } from "#server/languages/language.ts";
import { translateStored } from "#server/languages/stored-messages.ts";
import { textIn, translate } from "#server/languages/text.ts";
import { readSubscriptionEndFacts } from "#server/mail/subscription-end-mail.ts";
import { graceDays } from "#server/my-data/delete.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { recipientRefused } from "#server/providers/smtp.ts";
import { formatDate, formatTime } from "#server/subscriptions/dates.ts";
import { operatorRecipient } from "../outbox/mail.ts";
import { accountNotificationMail } from "./account-notification-mail.ts";
import { billingContactMail } from "./billing-contact-mail.ts";
import { readCancellationWindow } from "./cancellation-window.ts";
import { type MailContent, type RenderedMail, renderMail, type Sender } from "./layout.ts";
import { findNewAccount } from "./new-account.ts";
import { markPermanentFailure } from "./permanent-failure.ts";
import { quoteMail } from "./quote-mail.ts";
import { transferMailSchema } from "./templates/money.ts";
import { operatorTemplates } from "./templates/operator.ts";
import { templatesIn } from "./templates.ts";

const hour = 3600;
const day = 24 * hour;

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
  // The Message-ID comes from the row, so that a mail sent again after a crash is one mail to its reader.
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

/** Why a mail was not sent, beside what servers reply. */
const suppressed = "the address is suppressed: its server refused an earlier mail for good";

const switchedOff = "its reader has switched mails of this kind off";

const data = z.record(z.string(), z.string());

/** The mails whose button leads to the renewal. */
const renewalLetters = {
  "subscription-ended": "subscriptionEnded",
  "subscription-extended": "subscriptionExtended",
} as const;

/** @returns null for a mail that has become pointless since it was queued */
async function write(
  context: Context,
  mail: Mail,
  unsubscribe: string | undefined,
): Promise<RenderedMail | null> {
  const { db, env } = context;
  const order = mail.orderId === null ? null : await findOrder(db, mail.orderId);
  const language = await languageOf(db, mail, order);
  const content = await compose(context, mail, order, language);
  if (content === null) return null;
  const country = content.country ?? order?.country ?? standardCountry;
  return renderMail({ ...content, unsubscribe }, language, senderIn(env, country));
}

/** That of the order, else what is known of the reader. */
async function languageOf(db: Db, mail: Mail, order: Order | null): Promise<LanguageId> {
  if (mail.recipient === operatorRecipient) return standardLanguage;
  const requested = data.parse(mail.data).language;
  const known = order?.language ?? requested ?? (await readerOf(db, mail))?.language ?? null;
  return known !== null && isLanguage(known) ? known : standardLanguage;
}

/** An invited person may have an account; one without it reads the language of who invites. */
async function readerOf(db: Db, mail: Mail): Promise<{ language: string | null } | null> {
  if (mail.userId !== null) return findUser(db, mail.userId);
  const reader = await findUserByEmail(db, mail.recipient);
  const inviteId = parseId<InviteId>(data.parse(mail.data).inviteId);
  if (reader?.language != null || inviteId === null) return reader;
  const by = (await findInvite(db, inviteId, new Date()))?.invitedBy ?? null;
  return by === null ? null : findUser(db, by);
}

/** Who signs: the seller of the country, with the telephone that is answered there. */
function senderIn(env: Env, country: Country): Sender {
  const phone = brand.phones.find((each) => each.country === country)?.support ?? null;
  // A store that sells elsewhere only has no seller in the standard country.
  const signing = env.sellers.has(country) ? country : ([...env.sellers.keys()][0] ?? country);
  const { name, addressLines, gst } = supplierOf(env, signing);
  return { name, addressLines, gstin: gst?.gstin ?? null, phone };
}

/** @returns null for a mail that has become pointless since it was queued */
async function compose(
  context: Context,
  mail: Mail,
  order: Order | null,
  language: LanguageId,
): Promise<MailContent | null> {
  const { db, env } = context;
  const facts = data.parse(mail.data);
  const templates = templatesIn(language);
  /** Null when the account's email has changed, because its links are not for this recipient. */
  const tokenFor = async (mint: (trx: Trx, userId: UserId) => Promise<string>): Promise<string | null> => {
    if (mail.userId === null) throw new RangeError(`A ${mail.kind} mail needs a user`);
    const userId = mail.userId;
    return db.transaction().execute(async (trx) => {
      // A change of the account's email takes the same lock and invalidates the existing links.
      const user = await lockUser(trx, userId);
      return user === null || !isSameEmail(user.email, mail.recipient) ? null : mint(trx, userId);
    });
  };
  const withLink = async (
    purpose: TokenPurpose,
    path: (token: string) => string,
    ttlSeconds: number,
    say: (link: string) => MailContent,
  ): Promise<MailContent | null> => {
    const token = await tokenFor((trx, userId) =>
      mintToken(trx, { purpose, userId, orderId: mail.orderId, ttlSeconds }),
    );
    return token === null ? null : say(`${env.PUBLIC_URL}${path(token)}`);
  };
  switch (mail.kind) {
    case "set-password":
      return withLink("set-password", paths.setPassword, 7 * day, (link) => templates.setPassword({ link }));
    case "confirm-email":
      return withLink("set-password", paths.setPassword, 7 * day, (link) => templates.confirmEmail({ link }));
    case "account-notice":
      return accountNotice(context, mail, language);
    case "store-viewed":
      return storeViewed(context, mail, language);
    case "reset-password":
      return withLink("reset-password", paths.resetPassword, hour, (link) =>
        templates.resetPassword({ link }),
      );
    case "resume-order":
      return withLink("resume-order", paths.resume, 7 * day, (link) =>
        templates.resumeOrder({ order, link }),
      );
    case "signin-reminder":
      return withLink("resume-order", paths.resume, 7 * day, (link) =>
        templates.signInReminder({ order, link, isPaidByAnother: facts.paidBy === "another" }),
      );
    case "order-confirmation":
      return templates.orderConfirmation({
        order,
        link: orderLink(env.PUBLIC_URL, order),
        invoice: invoiceLink(env.PUBLIC_URL, order),
        made: order === null ? null : await findNewAccount(context, order),
      });
    case "invoice-ready":
      return templates.invoiceReady({
        order,
        number: facts.number ?? "",
        link: invoiceLink(env.PUBLIC_URL, order) ?? env.PUBLIC_URL,
      });
    case "document-refused": {
      const document = await findEInvoice(db, facts.number ?? "");
      // Corrected since, by the buyer or by staff.
      if (document?.state !== "failed" || order === null) return null;
      return templates.documentRefused({
        order,
        number: document.number,
        problem: translate(language, explainRefusal(document)),
        link: `${env.PUBLIC_URL}${paths.refusedDocument(order.id, document.number)}`,
      });
    }
    case "invoice-corrected": {
      const { number = "", replaced = "", creditNoteId = "" } = facts;
      return templates.invoiceCorrected({
        order,
        number,
        former: replaced,
        link: invoiceLink(env.PUBLIC_URL, order) ?? env.PUBLIC_URL,
        creditNote: `${env.PUBLIC_URL}${paths.creditNote(creditNoteId)}`,
      });
    }
    case "order-refunded":
      return templates.orderRefunded({
        order,
        amount: facts.amount ?? "",
        reason: translate(language, facts.reasonMessage ?? facts.reason ?? ""),
        link: `${env.PUBLIC_URL}${paths.subscriptions()}`,
      });
    case "refund": {
      const id = parseId<RefundId>(facts.refundId);
      const refund = id === null ? null : await findRefund(db, id);
      // Of one that has gone on since, another mail tells.
      if (refund === null || refund.status !== facts.status) return null;
      const note = await findCreditNote(db, refund.id);
      return templates.refund({
        order,
        refund,
        creditNote: note === null ? null : `${env.PUBLIC_URL}${paths.creditNote(refund.id)}`,
        link: orderLink(env.PUBLIC_URL, order),
      });
    }
    case "proforma": {
      const proforma = await findProformaOf(db, facts.intentId ?? "");
      if (order === null || proforma === null || proforma.bank === null) return null;
      return templates.proforma({
        order,
        total: formatMoney(money(proforma.facts.totalMinor, proforma.facts.currency)),
        lines: bankLines(proforma, proforma.bank),
        until: formatDate(proforma.validUntil, order.country, language),
        link: `${env.PUBLIC_URL}${paths.proforma(order.id)}`,
        pdf: `${env.PUBLIC_URL}${paths.proformaPdf(order.id)}`,
      });
    }
    case "quote":
    case "quote-request":
    case "quote-answer":
    case "quote-void":
      return quoteMail(mail.kind, { context, order, language, facts });
    case "payment-link": {
      const link = await findPaymentLink(db, facts.intentId ?? "");
      const intentNow = await findIntent(db, { id: facts.intentId ?? "" });
      if (order === null || link === null || intentNow === null) return null;
      if (intentNow.isClosed || intentNow.status === "paid") return null;
      return templates.paymentLink({
        order,
        total: formatMoney(money(intentNow.amountMinor, intentNow.currency)),
        until: formatDate(link.expiresAt, order.country, language),
        link: link.url,
        page: `${env.PUBLIC_URL}${paths.payAnotherWay(order.id)}`,
      });
    }
    case "transfer-received":
      return order === null
        ? null
        : templates.transferReceived({
            order,
            said: transferMailSchema.parse(facts),
            problem: translate(language, facts.problem ?? ""),
            link: `${env.PUBLIC_URL}${facts.state === "part" ? paths.proforma(order.id) : orderPath(order)}`,
          });
    case "certificate-due": {
      if (order === null || order.paidAt === null) return null;
      const { withheld = "", due = "" } = facts;
      return templates.certificateDue({
        order,
        withheld,
        date: formatDate(order.paidAt, order.country, language),
        due: formatDate(new Date(due), order.country, language),
        link: `${env.PUBLIC_URL}${paths.proforma(order.id)}`,
      });
    }
    case "credit-note": {
      const refundId = parseId<RefundId>(facts.refundId);
      const note = refundId === null ? null : await findCreditNote(db, refundId);
      if (note === null) return null;
      return templates.creditNote({
        order,
        note,
        link: `${env.PUBLIC_URL}${paths.creditNote(note.id)}`,
      });
    }
    case "order-delayed":
      return templates.orderDelayed({
        order,
        said: saidIn(language, facts),
        link: orderLink(env.PUBLIC_URL, order),
      });
    case "correction-needed":
      return templates.correctionNeeded({ order, problem: saidIn(language, facts) });
    case "brio-access":
      return templates.accessCode({
        order,
        name: order === null ? brand.name : families[order.family].name,
        link: order === null ? env.PUBLIC_URL : families[order.family].startUrl(env),
        access: order === null ? null : await readCredentials(context, db, order.id, "sign-in"),
        invoice: invoiceLink(env.PUBLIC_URL, order),
      });
    case "outlook-code": {
      const code = codeOf(context.encryptionKeys[0], {
        id: facts.proof ?? "",
        email: mail.recipient,
        number: Number(facts.number),
      });
      const { name: provider } = identityProviders[storedIdentityProvider(facts.provider ?? "")];
      return templates.identityCode({ code, minutes: codeMinutes, provider });
    }
    case "account-code": {
      const ttlSeconds = mailedCodeMinutes * 60;
      const code = await tokenFor((trx, userId) =>
        mintCode(trx, { purpose: "account-code", userId, ttlSeconds }),
      );
      return code === null ? null : templates.accountCode({ code, minutes: mailedCodeMinutes });
    }
    case "member-invite": {
      const id = parseId<InviteId>(facts.inviteId);
      const invite = id === null ? null : await findInvite(db, id, new Date());
      if (invite === null) return null;
      const token = await mintInviteToken(db, invite.id, invite.expiresAt);
      return templates.memberInvite({ invite, link: `${env.PUBLIC_URL}${paths.invite(token)}` });
    }
    case "ask-administrator": {
      const approval = order === null ? null : await approvalOf(db, order, new Date());
      if (order === null || !isApprovalPending(approval)) return null;
      const by = parseId<UserId>(facts.by);
      const sender = by === null ? null : await findUser(db, by);
      const expiresAt = new Date(Date.now() + requestDays * day * 1_000);
      const token = await mintAdministratorToken(db, order.id, expiresAt);
      return templates.askAdministrator({
        company: order.account?.companyName ?? "",
        // Anybody can type any address, so only a proven one is shown.
        email: sender === null || sender.emailVerifiedAt === null ? null : sender.email,
        domain: approval.domain,
        signsInAt: administratorOf(approval.claim.family)?.signsInAt ?? null,
        days: requestDays,
        link: `${env.PUBLIC_URL}${paths.approve(token)}`,
      });
    }
    case "billing-contact":
    case "document-copy":
      return billingContactMail(context, mail, order, language);
    case "administrator-done":
      return templates.administratorDone({
        order,
        domain: facts.domain ?? "",
        link: orderLink(env.PUBLIC_URL, order),
      });
    case "renewal-reminder": {
      const notice = await readSubscriptionEndFacts(context, mail.kind, facts, new Date());
      if (notice === null) return null;
      const token = await tokenFor((trx, userId) => mintRenewalToken(trx, { ...notice, userId }));
      if (token === null) return null;
      return templates.renewalReminder({ notice, link: `${env.PUBLIC_URL}${paths.renewalLink(token)}` });
    }
    case "renewal-window": {
      const window = await readCancellationWindow(context, facts, new Date());
      if (window === null) return null;
      const link = `${env.PUBLIC_URL}${paths.cancelSubscription(window.subscription.id)}`;
      return templates.renewalWindow({ window, link });
    }
    case "subscription-ended":
    case "subscription-extended": {
      const notice = await readSubscriptionEndFacts(context, mail.kind, facts, new Date());
      if (notice === null) return null;
      return templates[renewalLetters[mail.kind]]({
        notice,
        link: `${env.PUBLIC_URL}${paths.renew(notice.subscriptionId)}`,
      });
    }
    case "terms-reminder": {
      const notice = await readSubscriptionEndFacts(context, mail.kind, facts, new Date());
      if (notice === null) return null;
      return templates.termsReminder({ notice, link: families[notice.family].startUrl(env) });
    }
    case "cancellation": {
      const id = parseId<CancellationId>(facts.cancellationId);
      const notice = id === null ? null : await readCancellationMailFacts(db, id);
      if (notice === null) return null;
      const link = paths.cancelSubscription(notice.subscription.id, { asked: notice.cancellation.id });
      return templates.cancellation({
        ...notice,
        creditNotes: notice.creditNotes.map(({ number, id: note }) => ({
          number,
          link: `${env.PUBLIC_URL}${paths.creditNote(note)}`,
        })),
        orders: `${env.PUBLIC_URL}${paths.myOrders()}`,
        link: `${env.PUBLIC_URL}${link}`,
      });
    }
    case "data-export":
      return templates.dataExport({
        whose: facts.whose ?? "own",
        until: formatDate(new Date(facts.until ?? ""), await countryOf(db, mail), language),
        link: `${env.PUBLIC_URL}${paths.myData()}`,
      });
    case "account-deletion": {
      if (facts.state === "stopped")
        return templates.deletionStopped({ link: `${env.PUBLIC_URL}${paths.myData()}` });
      const due = formatDate(new Date(facts.due ?? ""), await countryOf(db, mail), language);
      return withLink("keep-account", paths.cancelAccountDeletion, graceDays * day, (link) =>
        templates.deletionAsked({ due, link }),
      );
    }
    case "operator-alert":
      return operatorTemplates.operatorAlert({
        order,
        what: facts.what ?? "",
        toDo: facts.toDo?.split("\n"),
        link: `${env.PUBLIC_URL}${order === null ? paths.desk() : paths.deskOrder(order.id)}`,
      });
    case "order-notice":
      if (order === null) return null;
      return operatorTemplates.orderNotice({
        order,
        subject: facts.subject ?? "",
        what: facts.what ?? "",
        link: `${env.PUBLIC_URL}${paths.deskOrder(order.id)}`,
      });
    case "vendor-notice":
      return operatorTemplates.vendorNotice({
        subject: facts.subject ?? "",
        paragraphs: [facts.what ?? "", ...(facts.toDo ?? "").split("\n").filter((line) => line !== "")],
        link: `${env.PUBLIC_URL}${paths.desk()}`,
      });
    default:
      return assertNever(mail.kind);
  }
}

/** Whose days a mail about an account is dated by. */
async function countryOf(db: Db, { userId }: Mail): Promise<Country> {
  const companies = userId === null ? [] : await listMemberships(db, userId);
  return companies[0]?.country ?? standardCountry;
}

async function accountNotice({ db, env }: Context, mail: Mail, language: LanguageId): Promise<MailContent> {
  const text = textIn(language);
  const country = await countryOf(db, mail);
  const content = accountNotificationMail(
    {
      notice: accountNotices.parse(mail.data),
      when: text("mail.when", {
        date: formatDate(mail.createdAt, country, language),
        time: formatTime(mail.createdAt, country, language),
      }),
      resetLink: `${env.PUBLIC_URL}${paths.forgotPassword()}`,
      membersLink: `${env.PUBLIC_URL}${paths.members()}`,
      secondFactorLink: `${env.PUBLIC_URL}${paths.secondFactor()}`,
    },
    language,
  );
  return { ...content, country };
}

/** For somebody as whom a member of staff has looked at the store. */
async function storeViewed({ db }: Context, mail: Mail, language: LanguageId): Promise<MailContent> {
  const country = await countryOf(db, mail);
  const { reason = "", company = "" } = data.parse(mail.data);
  const when = textIn(language)("mail.when", {
    date: formatDate(mail.createdAt, country, language),
    time: formatTime(mail.createdAt, country, language),
  });
  return { ...templatesIn(language).storeViewed({ when, reason, company }), country };
}

/** What the order's vendor says, in a sentence for its buyer. */
function saidIn(language: LanguageId, { said = "", saidMessage }: Record<string, string>): string {
  return translateStored(language, { text: said, message: saidMessage });
}

function orderLink(publicUrl: string, order: Order | null): string {
  return order === null ? publicUrl : `${publicUrl}${orderPath(order)}`;
}

/** Null for an order that does not exist or is not paid, since it has no invoice. */
function invoiceLink(publicUrl: string, order: Order | null): string | null {
  return order === null || !isPaid(order) ? null : `${publicUrl}${paths.invoice(order.id)}`;
}
