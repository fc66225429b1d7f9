/** Letters about a user's account: passwords, codes, notices, invitations, and their data. */
import { type InviteId, parseId } from "#db/ids.ts";
import { accountNotice as accountNotices } from "#server/accounts/account-notifications.ts";
import { codeMinutes, codeOf } from "#server/accounts/identity-proofs.ts";
import { findInvite } from "#server/accounts/invites.ts";
import { mailedCodeMinutes } from "#server/accounts/mailed-code.ts";
import { mintCode, mintInviteToken } from "#server/accounts/one-time-tokens.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  identityProviders,
  storedIdentityProvider,
} from "#server/integrations/identity-providers/registry.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { graceDays } from "#server/privacy/delete.ts";
import { accountNotificationMail } from "../account-notification-mail.ts";
import type { MailContent } from "../layout.ts";
import { day, hour } from "./durations.ts";
import { countryOf, type Letter, type LettersOf, linkTo, requestedAt, tokenFor, withLink } from "./letter.ts";

export const accountLetters: LettersOf<
  | "set-password"
  | "confirm-email"
  | "reset-password"
  | "account-notice"
  | "store-viewed"
  | "outlook-code"
  | "account-code"
  | "member-invite"
  | "data-export"
  | "account-deletion"
> = {
  "set-password": (letter) =>
    withLink(letter, { purpose: "set-password", path: paths.setPassword, ttlSeconds: 7 * day }, (link) =>
      letter.templates.setPassword({ link }),
    ),
  "confirm-email": (letter) =>
    withLink(letter, { purpose: "set-password", path: paths.setPassword, ttlSeconds: 7 * day }, (link) =>
      letter.templates.confirmEmail({ link }),
    ),
  "reset-password": (letter) =>
    withLink(letter, { purpose: "reset-password", path: paths.resetPassword, ttlSeconds: hour }, (link) =>
      letter.templates.resetPassword({ link }),
    ),
  "account-notice": accountNotice,
  "store-viewed": storeViewed,
  "outlook-code": ({ context, mail, facts, templates }) => {
    const code = codeOf(context.encryptionKeys[0], {
      id: facts.proof ?? "",
      email: mail.recipient,
      number: Number(facts.number),
    });
    const { name: provider } = identityProviders[storedIdentityProvider(facts.provider ?? "")];
    return templates.identityCode({ code, minutes: codeMinutes, provider });
  },
  async "account-code"(letter) {
    const ttlSeconds = mailedCodeMinutes * 60;
    const code = await tokenFor(letter, (trx, userId) =>
      mintCode(trx, { purpose: "account-code", userId, ttlSeconds }),
    );
    return code === null ? null : letter.templates.accountCode({ code, minutes: mailedCodeMinutes });
  },
  async "member-invite"(letter) {
    const { db } = letter.context;
    const id = parseId<InviteId>(letter.facts.inviteId);
    const invite = id === null ? null : await findInvite(db, id, new Date());
    if (invite === null) return null;
    const token = await mintInviteToken(db, invite.id, invite.expiresAt);
    return letter.templates.memberInvite({ invite, link: linkTo(letter, paths.invite(token)) });
  },
  "data-export": async (letter) =>
    letter.templates.dataExport({
      whose: letter.facts.whose ?? "own",
      until: formatDate(new Date(letter.facts.until ?? ""), await countryOf(letter), letter.language),
      link: linkTo(letter, paths.myData()),
    }),
  "account-deletion": accountDeletion,
};

async function accountNotice(letter: Letter): Promise<MailContent> {
  const country = await countryOf(letter);
  const content = accountNotificationMail(
    {
      notice: accountNotices.parse(letter.mail.data),
      when: requestedAt(letter, country),
      resetLink: linkTo(letter, paths.forgotPassword()),
      membersLink: linkTo(letter, paths.members()),
      secondFactorLink: linkTo(letter, paths.secondFactor()),
    },
    letter.language,
  );
  return { ...content, country };
}

/** Writes the notice that a member of staff has viewed the store as the user. */
async function storeViewed(letter: Letter): Promise<MailContent> {
  const country = await countryOf(letter);
  const { reason = "", company = "" } = letter.facts;
  const when = requestedAt(letter, country);
  return { ...letter.templates.storeViewed({ when, reason, company }), country };
}

async function accountDeletion(letter: Letter): Promise<MailContent | null> {
  const { facts, language, templates } = letter;
  if (facts.state === "stopped") return templates.deletionStopped({ link: linkTo(letter, paths.myData()) });
  const due = formatDate(new Date(facts.due ?? ""), await countryOf(letter), language);
  return withLink(
    letter,
    { purpose: "keep-account", path: paths.cancelAccountDeletion, ttlSeconds: graceDays * day },
    (link) => templates.deletionAsked({ due, link }),
  );
}
