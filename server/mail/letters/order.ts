/** Letters about an order in progress: the next step, a delay, and the result. */
import { parseId, type UserId } from "#db/ids.ts";
import { readCredentials } from "#server/accounts/credentials/credentials.ts";
import { mintAdministratorToken } from "#server/accounts/one-time-tokens.ts";
import { findUser } from "#server/accounts/users.ts";
import { administratorOf, families } from "#server/catalogue/families/registry.ts";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { approvalOf, isApprovalPending, requestDays } from "#server/fulfilment/approval.ts";
import type { MailContent } from "../layout.ts";
import { findNewAccount } from "../new-account.ts";
import { quoteMail } from "../quote-mail.ts";
import { day } from "./durations.ts";
import { invoiceLink, type Letter, type LettersOf, linkTo, orderLink, saidIn, withLink } from "./letter.ts";

const wayBack = { purpose: "resume-order", path: paths.resume, ttlSeconds: 7 * day } as const;

export const orderLetters: LettersOf<
  | "resume-order"
  | "signin-reminder"
  | "order-confirmation"
  | "quote"
  | "quote-request"
  | "quote-answer"
  | "quote-void"
  | "order-delayed"
  | "correction-needed"
  | "brio-access"
  | "ask-administrator"
  | "administrator-done"
> = {
  "resume-order": (letter) =>
    withLink(letter, wayBack, (link) => letter.templates.resumeOrder({ order: letter.order, link })),
  "signin-reminder": (letter) =>
    withLink(letter, wayBack, (link) =>
      letter.templates.signInReminder({
        order: letter.order,
        link,
        isPaidByAnother: letter.facts.paidBy === "another",
      }),
    ),
  "order-confirmation": async (letter) =>
    letter.templates.orderConfirmation({
      order: letter.order,
      link: orderLink(letter),
      invoice: invoiceLink(letter),
      made: letter.order === null ? null : await findNewAccount(letter.context, letter.order),
    }),
  quote: (letter) => quoteMail("quote", letter),
  "quote-request": (letter) => quoteMail("quote-request", letter),
  "quote-answer": (letter) => quoteMail("quote-answer", letter),
  "quote-void": (letter) => quoteMail("quote-void", letter),
  "order-delayed": (letter) =>
    letter.templates.orderDelayed({ order: letter.order, said: saidIn(letter), link: orderLink(letter) }),
  "correction-needed": (letter) =>
    letter.templates.correctionNeeded({ order: letter.order, problem: saidIn(letter) }),
  "brio-access": brioAccess,
  "ask-administrator": askAdministrator,
  "administrator-done": (letter) =>
    letter.templates.administratorDone({
      order: letter.order,
      domain: letter.facts.domain ?? "",
      link: orderLink(letter),
    }),
};

async function brioAccess(letter: Letter): Promise<MailContent> {
  const { context, order, templates } = letter;
  return templates.accessCode({
    order,
    name: order === null ? brand.name : families[order.family].name,
    link: order === null ? context.env.PUBLIC_URL : families[order.family].startUrl(context.env),
    access: order === null ? null : await readCredentials(context, context.db, order.id, "sign-in"),
    invoice: invoiceLink(letter),
  });
}

async function askAdministrator(letter: Letter): Promise<MailContent | null> {
  const { order, facts, templates } = letter;
  const { db } = letter.context;
  const approval = order === null ? null : await approvalOf(db, order, new Date());
  if (order === null || !isApprovalPending(approval)) return null;
  const by = parseId<UserId>(facts.by);
  const sender = by === null ? null : await findUser(db, by);
  const expiresAt = new Date(Date.now() + requestDays * day * 1_000);
  const token = await mintAdministratorToken(db, order.id, expiresAt);
  return templates.askAdministrator({
    company: order.account?.companyName ?? "",
    // Anyone can type any address, so only a proven one is shown.
    email: sender === null || sender.emailVerifiedAt === null ? null : sender.email,
    domain: approval.domain,
    signsInAt: administratorOf(approval.claim.family)?.signsInAt ?? null,
    days: requestDays,
    link: linkTo(letter, paths.approve(token)),
  });
}
