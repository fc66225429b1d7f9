/** The text of each mail: plain text first, and the same words as simple HTML. */

import type { Order } from "#db/order.ts";
import type { Invite } from "#server/accounts/invites.ts";
import { brand } from "#server/brand.ts";
import type { Credentials } from "#server/credentials/credentials.ts";
import { families } from "#server/families/family.ts";
import type { Notice } from "#server/mail/subscription-notice.ts";
import { isPaid } from "#server/orders/order.ts";
import { renewsAll } from "#server/orders/subscription-change.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { plainName } from "./plain-name.ts";

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  paragraphs: string[];
  /** An operator is not told to write to the support, which may be themselves. */
  isToOperator?: boolean;
  action?: Action;
  /** Shown after the action, less prominently. */
  aside?: Action;
}

interface Action {
  label: string;
  link: string;
}

export const templates = {
  setPassword: ({ link }: { link: string }) =>
    letter({
      subject: `Set the password of your ${brand.name} account`,
      paragraphs: [
        "We made an account for you while you were ordering, so that your order is never lost.",
        "Set a password to sign in again later. The link works once, for 7 days.",
        "If you did not start an order with us, ignore this email: nothing has been bought in your name.",
      ],
      action: { label: "Set your password", link },
    }),

  resetPassword: ({ link }: { link: string }) =>
    letter({
      subject: `Reset the password of your ${brand.name} account`,
      paragraphs: [
        "Someone, probably you, asked to reset your password. The link works once, for one hour.",
        "If this wasn't you, ignore this email: your password stays the same.",
      ],
      action: { label: "Choose a new password", link },
    }),

  confirmEmail: ({ link }: { link: string }) =>
    letter({
      subject: `Confirm your email for ${brand.name}`,
      paragraphs: [
        "Choose a password with this link: that confirms this email as yours, and you can invite colleagues then. It works once, for 7 days.",
        "You are signed out everywhere, and sign in again with the new password.",
        "If you have no account with us, ignore this email. Nobody can do anything in your name without it.",
      ],
      action: { label: "Confirm your email", link },
    }),

  resumeOrder: ({ order, link }: { order: Order | null; link: string }) =>
    letter({
      subject: `Your order is waiting: ${nameOf(order)}`,
      paragraphs: [
        `You began an order for ${nameOf(order)}. Everything you entered is kept.`,
        "This link opens it where you left it, on any device. It works once, for 7 days, and it signs you in: do not forward it.",
      ],
      action: { label: "Continue your order", link },
    }),

  signInReminder: ({ order, link }: { order: Order | null; link: string }) =>
    letter({
      subject: `One step left: sign-in details for ${nameOf(order)}`,
      paragraphs: [
        `Thank you: your payment for ${nameOf(order)} has arrived.`,
        whatIsMissing(order),
        "The link works once, for 7 days, and it signs you in: do not forward it.",
      ],
      action: { label: "Finish your order", link },
    }),

  outlookCode: ({ code, minutes }: { code: string; minutes: number }) =>
    letter({
      subject: "Your code to sign in with Outlook",
      paragraphs: [
        `Your code is ${code.slice(0, 4)} ${code.slice(4)}. It works once, for ${minutes} minutes, on the page that asked for it.`,
        "It connects an Outlook sign-in with this email address. Nobody from our team will ever ask you for it.",
        "If you did not ask for it, ignore this email: without the code nothing happens.",
      ],
    }),

  orderConfirmation: ({
    order,
    link,
    invoice,
  }: {
    order: Order | null;
    link: string;
    invoice: string | null;
  }) =>
    letter({
      subject: `${doneWords(order)}: ${nameOf(order)}`,
      paragraphs: [
        ...(order === null
          ? []
          : [
              `Order ${order.id}`,
              `${order.line.name}, ${licences(order.line.quantity)}`,
              `Paid: ${formatMoney(order.total)}`,
            ]),
        whereItIs(order),
        ...(order === null ? [] : families[order.family].leftToDo(order)),
      ],
      action: { label: "Open your order", link },
      ...asideOf(invoice),
    }),

  orderRefunded: ({
    order,
    amount,
    reason,
    link,
  }: {
    order: Order | null;
    amount: string;
    reason: string;
    link: string;
  }) =>
    letter({
      subject: `Your payment is refunded in full: ${nameOf(order)}`,
      paragraphs: [
        ...(order === null
          ? []
          : [`Order ${order.id}: ${order.line.name}, ${licences(order.line.quantity)}`]),
        `Your payment arrived, but this order could no longer be carried out. ${reason}`,
        `Nothing was bought. All of it, ${amount}, goes back to the card or account you paid with, usually within 5 to 7 working days. You don't need to do anything.`,
      ],
      action: { label: "My Subscriptions", link },
    }),

  orderDelayed: ({ order, said, link }: { order: Order | null; said: string; link: string }) =>
    letter({
      subject: `Your order takes longer: ${nameOf(order)}`,
      paragraphs: [
        said,
        "Your payment is safe, and you need not do anything. We mail you as soon as everything is ready.",
      ],
      action: { label: "Open your order", link },
    }),

  correctionNeeded: ({ order, problem }: { order: Order | null; problem: string }) =>
    letter({
      subject: `Your order needs a correction: ${nameOf(order)}`,
      paragraphs: [
        ...(order === null ? [] : [`Order ${order.id}`]),
        problem,
        `Please write to ${brand.supportEmail} with the right details and the order number. We put it right and go on, or give the money back.`,
        "Your payment is safe, and you will not be charged again.",
      ],
    }),

  accessCode: ({
    order,
    name,
    link,
    access,
    invoice,
  }: {
    order: Order | null;
    /** The name of the product that the link opens. */
    name: string;
    link: string;
    access: Credentials | null;
    invoice: string | null;
  }) =>
    letter({
      subject: `Your access to ${nameOf(order)}`,
      paragraphs: [
        ...(order === null
          ? []
          : [
              `Order ${order.id}: ${order.line.quantity} x ${order.line.name}, paid: ${formatMoney(order.total)}`,
            ]),
        ...(access === null ? [] : [`Sign in as: ${access.username}`, `Access code: ${access.password}`]),
        order?.kind === "RENEW"
          ? "Your renewed access has a new code. Keep the code to yourself."
          : "The first to sign in with the code becomes the administrator and invites the others. Keep the code to yourself.",
      ],
      action: { label: `Open ${name}`, link },
      ...asideOf(invoice),
    }),

  memberInvite: ({ invite, link }: { invite: Invite; link: string }) =>
    letter({
      subject: `An invitation to a company at ${brand.name}`,
      paragraphs: [
        `${inviterOf(invite)} invites you to join ${companyOf(invite)}, ${roleMeans[invite.role]}.`,
        "The link works once, for 7 days. If you do not know them, ignore this email: nothing happens.",
      ],
      action: { label: "Answer the invitation", link },
    }),

  askAdministrator: ({
    company,
    email,
    domain,
    signsInAt,
    days: count,
    link,
  }: {
    company: string;
    email: string | null;
    domain: string;
    /** Null where a DNS record is the proof. */
    signsInAt: string | null;
    days: number;
    link: string;
  }) =>
    letter({
      subject: `Please confirm an order for ${domain}`,
      paragraphs: [
        `${nameForStrangers(company)}${email === null ? "" : ` (${email})`} is ordering from ${brand.name} for ${domain}, and names you as its administrator.`,
        `The page behind the link says what you would allow. To confirm, you ${signsInAt === null ? "add a record to the domain's DNS" : `sign in at ${signsInAt} itself, never here`}. You see neither the order nor its price.`,
        `The link works for ${days(count)}. To refuse, or if you do not know this company, do nothing: without you the order does not go there.`,
      ],
      action: { label: "See what you would allow", link },
    }),

  administratorDone: ({ order, domain, link }: { order: Order | null; domain: string; link: string }) =>
    letter({
      subject: `Confirmed: your order for ${domain}`,
      paragraphs: [
        `The administrator of ${domain} has confirmed your order for ${nameOf(order)}.`,
        order !== null && isPaid(order)
          ? "It goes on by itself. We will email you when it is complete."
          : "You can pay for it now.",
      ],
      action: { label: "Open your order", link },
    }),

  renewalReminder: ({ notice, link }: { notice: Notice; link: string }) =>
    letter({
      subject: `${notice.name} for ${notice.domain} ends in ${days(notice.daysLeft)}`,
      paragraphs: [
        `Your subscription to ${notice.name} for ${notice.domain}, ${licences(notice.quantity)}, ends on ${formatDate(notice.end, notice.country)}, in ${days(notice.daysLeft)}.`,
        ...costOf(notice),
        `The new term begins when this one ends: renewing early loses nothing. ${seatsOf(notice)}`,
      ],
      action: { label: "Renew", link },
    }),

  subscriptionEnded: ({ notice, link }: { notice: Notice; link: string }) =>
    letter({
      subject: `Your subscription has ended: ${notice.name} for ${notice.domain}`,
      paragraphs: [
        `Your subscription to ${notice.name} for ${notice.domain}, ${licences(notice.quantity)}, ended on ${formatDate(notice.end, notice.country)}.`,
        ...costOf(notice),
        "You can still renew it: a new term then begins on the day you do.",
      ],
      action: { label: "Renew", link },
    }),

  subscriptionExtended: ({ notice, link }: { notice: Notice; link: string }) => {
    const { label } = families[notice.family];
    const { extendedUntil, country } = notice;
    const upTo = extendedUntil === null ? "" : `, for now until ${formatDate(extendedUntil, country)}`;
    return letter({
      subject: `${notice.name} for ${notice.domain} goes on at ${label} without a term: renew it to keep it`,
      paragraphs: [
        `Your subscription to ${notice.name} for ${notice.domain}, ${licences(notice.quantity)}, ended on ${formatDate(notice.end, country)}. ${label} has extended it month by month${upTo}. The extension is not paid for, so we may end it at any time.`,
        ...costOf(notice),
        "If you renew, a new term begins on the day you do, and then the extension ends. Your users keep their licences. If you no longer need the subscription, you need not do anything.",
      ],
      action: { label: "Renew", link },
    });
  },

  termsReminder: ({ notice, link }: { notice: Notice; link: string }) =>
    letter({
      subject: `Accept the terms of service to use ${notice.name} for ${notice.domain}`,
      paragraphs: [
        `${families[notice.family].label} has suspended ${notice.name} for ${notice.domain}, because its terms of service have not been accepted yet. The term runs on.`,
        "A super administrator has to sign in to the admin console and accept them. If the console asks you to verify the domain, do that next: until then no email is sent or received.",
      ],
      action: { label: "Open the admin console", link },
    }),

  operatorAlert: ({ order, what, toDo = [] }: { order: Order | null; what: string; toDo?: string[] }) =>
    letter({
      subject: order === null ? "The store needs attention" : `An order needs attention: ${order.id}`,
      isToOperator: true,
      paragraphs: [
        what,
        ...(order === null
          ? []
          : [
              `Order ${order.id}: ${order.line.name} x ${order.line.quantity}, ${formatMoney(order.total)}`,
              `Stage ${order.stage}, payment ${order.paymentStatus}, fulfilment ${order.fulfilmentStatus}`,
              `Buyer: ${order.account?.companyName ?? "unknown"}, ${order.account?.email ?? "no address"}`,
            ]),
        ...toDo,
      ],
    }),
  vendorNotice: ({ subject, paragraphs }: { subject: string; paragraphs: string[] }) =>
    letter({ subject, paragraphs }),
} as const;

/** The reader may know neither the inviter nor the company. The address is proven, but the names are free text. */
function inviterOf({ inviter, inviterEmail }: Invite): string {
  const name = plainName(inviter);
  if (inviterEmail === null) return name ?? "Somebody";
  return name === null ? inviterEmail : `${name} (${inviterEmail})`;
}

function companyOf({ company }: Invite): string {
  const name = plainName(company);
  return name === null ? "their company" : `“${name}”`;
}

const roleMeans: Record<Invite["role"], string> = {
  owner: "as an owner: to see its subscriptions, to order, and to say who else may",
  buyer: "as a buyer: to see its subscriptions and to order",
  viewer: "as a viewer: to see its subscriptions and orders",
};

function doneWords(order: Order | null): string {
  if (order?.kind === "ADD") return "License Added";
  if (order?.kind === "RENEW") return "License Renewed";
  return "Your order is complete";
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}

/** Empty when there is no price today. */
function costOf({ quantity, term, cost }: Notice): string[] {
  if (cost === null) return [];
  const what = `Renewing ${licences(quantity)} for a ${term === "P1M" ? "month" : "year"} costs`;
  const price =
    cost.tax.minor === 0
      ? formatMoney(cost.total)
      : `${formatMoney(cost.subtotal)} before tax, ${formatMoney(cost.total)} with tax`;
  return [`${what} ${price} today.`];
}

/** How many licences a renewal may be for. */
function seatsOf(notice: Notice): string {
  return families[notice.family].renewsAllSeats
    ? renewsAll(notice, notice.quantity)
    : "You can renew for more or fewer licences.";
}

function whereItIs(order: Order | null): string {
  const account = order?.details.addedTo ?? "your account";
  if (order?.kind === "ADD") {
    return `The licences were added to ${account}. Assign them in its admin console, where you sign in as you always do.`;
  }
  if (order?.kind === "RENEW") {
    return `${order.details.addedTo ?? "Your account"} goes on as it is: you and your people sign in as you always do.`;
  }
  if (order?.signIn?.mode === "existing") {
    return `It was added to the account of ${order.signIn.username}. Sign in there as you always do.`;
  }
  const moved = order === null ? null : families[order.family].movedWords(order);
  if (moved !== null) return moved;
  if (order !== null && order.kind !== "NEW" && order.signIn === null) {
    return `It was added to ${account}. Sign in there as you always do.`;
  }
  return "Your sign-in details are on the order's page, for you only. They stay there for 7 days from when you first open it.";
}

function asideOf(invoice: string | null): Pick<Letter, "aside"> {
  return invoice === null
    ? {}
    : { aside: { label: "Your invoice, to read, print or download", link: invoice } };
}

/** The buyer's name for a reader who did not ask for the mail: an administrator who is to confirm the order. */
export function nameForStrangers(company: string): string {
  const name = plainName(company);
  return name === null ? "A company" : `“${name}”`;
}

function whatIsMissing(order: Order | null): string {
  if (order?.details.signInProblem !== undefined) return order.details.signInProblem;
  if (order?.signIn?.mode === "existing") {
    return `An administrator of the account of ${order.signIn.username} still has to confirm it. You can do it, or have a link emailed to your administrator.`;
  }
  return "We still need to know which account to add it to. It takes a minute.";
}

function nameOf(order: Order | null): string {
  return order?.line.name ?? "your subscription";
}

/** The layout of every mail. */
export function letter({ subject, paragraphs, action, aside, isToOperator = false }: Letter): MailText {
  const closing = [...(isToOperator ? [] : [`Questions? Write to ${brand.supportEmail}.`]), brand.name];
  const lines = [
    ...paragraphs,
    ...[action, aside].flatMap((link) => (link === undefined ? [] : [`${link.label}: ${link.link}`])),
    ...closing,
  ];
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(action === undefined
      ? []
      : [`<p><a href="${escapeHtml(action.link)}"><strong>${escapeHtml(action.label)}</strong></a></p>`]),
    ...(aside === undefined
      ? []
      : [`<p><a href="${escapeHtml(aside.link)}">${escapeHtml(aside.label)}</a></p>`]),
    ...closing.map((line) => `<p>${escapeHtml(line)}</p>`),
  ];
  return {
    subject,
    text: `${lines.join("\n\n")}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;max-width:36em">${html.join("")}</body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
