/** `/members`: a company's members and their roles. All members see them. Owners invite, change and remove them. */
import { useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type CustomerId, type InviteId, parseId, type UserId } from "#db/ids.ts";
import type { Currency, MemberRole } from "#db/tables/enums.ts";
import {
  type CompanyRules,
  listBuyerLimits,
  readCompanyRules,
  setBuyerLimit,
  setCompanyRules,
} from "#server/accounts/company-rules.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { inviteMember, listInvites, withdrawInvite } from "#server/accounts/invites.ts";
import { changeRole, listMembers, removeMember } from "#server/accounts/members.ts";
import { readRequiredFactor, setRequiredOfMembers } from "#server/accounts/required-factor.ts";
import { roleMay } from "#server/accounts/roles.ts";
import { hasSecondFactor } from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { toAmountText } from "#server/catalogue/pricing/money.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { assertNever, notFound } from "#server/foundation/errors.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import * as paths from "#server/foundation/paths.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { membersSchema } from "../../forms/company-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, redirectWith, requireSession } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DateText } from "../../ui/date-text.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ConfirmEmail } from "../account/confirm-email.tsx";
import { InviteForm } from "./invite-form.tsx";
import { MemberRow } from "./member-row.tsx";
import { NoCompany } from "./no-company.tsx";
import { OrderRulesForm } from "./order-rules-form.tsx";
import { RequiredFactor } from "./required-factor.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const { userId, email, customer } = requireSession(request);
  const { db } = request.context;
  const title = request.text("members.title");
  const company = customer === null ? null : await findMembership(db, userId, customer.id);
  if (company === null) return { title, company: null };
  const isOwner = roleMay(company.role, "manage");
  const isProven = (await findUser(db, userId))?.emailVerifiedAt != null;
  const members = await listMembers(db, company.id);
  const secondFactor = isOwner
    ? { ...(await readRequiredFactor(db, company.id)), ownerHasIt: await hasSecondFactor(db, userId) }
    : null;
  const rules = await readCompanyRules(db, company.id);
  const limits = await listBuyerLimits(db, company.id);
  const { currency } = countries[company.country];
  const typed = (minor: number | null) => (minor === null ? "" : toAmountText(minor));
  const invites = isOwner ? await listInvites(db, company.id, new Date()) : [];
  return {
    title,
    company: company.name,
    isOwner,
    mayInvite: isOwner && isProven,
    email,
    secondFactor,
    currency,
    rules: {
      says: rulesInWords(request.text, rules, currency),
      approvalAbove: typed(rules.approvalAboveMinor),
      includesOwners: rules.includesOwners,
    },
    members: members.map((member) => ({
      ...member,
      isYou: member.userId === userId,
      limits: isMeasured(member.role, rules)
        ? {
            perOrder: typed(limits.get(member.userId)?.perOrderMinor ?? null),
            perMonth: typed(limits.get(member.userId)?.perMonthMinor ?? null),
          }
        : null,
    })),
    invites: invites.map(({ id, email, role, expiresAt }) => ({
      id,
      email,
      role,
      until: dateView(expiresAt, company.country, request.language),
    })),
  };
});

/** Whether limits apply to a member's orders: to owners' only where the rules include them. */
function isMeasured(role: MemberRole, { includesOwners }: CompanyRules): boolean {
  return roleMay(role, "order") && (includesOwners || !roleMay(role, "manage"));
}

function rulesInWords(text: Translate, rules: CompanyRules, currency: Currency): string {
  if (rules.approvalAboveMinor === null) return text("rules.noneAbove");
  const most = formatMoney({ minor: rules.approvalAboveMinor, currency });
  return rules.includesOwners ? text("rules.aboveAndOwners", { most }) : text("rules.above", { most });
}

/** The signed-in user's company. @throws DomainError not_found without one; a redirect to the login */
function ownCompany(request: RequestContext): { customerId: CustomerId; by: UserId } {
  const { userId, customer } = requireSession(request);
  if (customer === null) throw notFound("company");
  return { customerId: customer.id, by: userId };
}

export const action = formAction({
  params: z.unknown(),
  schema: membersSchema,
  handler: async (request, _params, value) => {
    const company = ownCompany(request);
    const { db } = request.context;
    const now = new Date();
    const done = (message: string) => redirectWith(request, paths.members(), { type: "success", message });
    switch (value.intent) {
      case "invite":
        await inviteMember(db, { ...company, email: value.email, role: value.role, now });
        return done(request.text("members.onItsWay", { email: value.email }));
      case "withdraw": {
        const inviteId = parseId<InviteId>(value.invite);
        if (inviteId === null) throw notFound("invitation");
        await db.transaction().execute((trx) => withdrawInvite(trx, { ...company, inviteId, now }));
        return done(request.text("members.withdrawn"));
      }
      case "change-role":
      case "remove": {
        const userId = parseId<UserId>(value.member);
        if (userId === null) throw notFound("member");
        await db
          .transaction()
          .execute((trx) =>
            value.intent === "remove"
              ? removeMember(trx, { ...company, userId })
              : changeRole(trx, { ...company, userId, role: value.role }),
          );
        return done(request.text(value.intent === "remove" ? "members.removed" : "members.roleChanged"));
      }
      case "require-second-factor":
      case "leave-second-factor": {
        const isRequired = value.intent === "require-second-factor";
        await db.transaction().execute((trx) => setRequiredOfMembers(trx, { ...company, isRequired }));
        return done(request.text(isRequired ? "members.twoStepIsRequired" : "members.twoStepIsOptional"));
      }
      case "rules": {
        const rules = {
          approvalAboveMinor: value.approvalAbove,
          includesOwners: value.includesOwners === "on",
        };
        await db.transaction().execute((trx) => setCompanyRules(trx, company, rules));
        return done(request.text("rules.saved"));
      }
      case "limits": {
        const userId = parseId<UserId>(value.member);
        if (userId === null) throw notFound("member");
        const limit = { perOrderMinor: value.perOrder, perMonthMinor: value.perMonth };
        await db.transaction().execute((trx) => setBuyerLimit(trx, { ...company, userId }, limit));
        return done(request.text("rules.limitsSaved"));
      }
      default:
        return assertNever(value);
    }
  },
});

export default function Members() {
  const data = useLoaderData<typeof loader>();
  const text = useTranslate();
  const result = useActionData<typeof action>()?.result ?? null;
  // A refused invitation is shown in the invite form, where there is one.
  const isInvite = data.company !== null && data.mayInvite && result?.initialValue?.intent === "invite";
  const intent = result?.initialValue?.intent;
  const isOwnForm = isInvite || intent === "rules" || intent === "limits";
  const [others] = useForm({ id: "member", lastResult: isOwnForm ? null : result });
  if (data.company === null) return <NoCompany title={data.title} />;
  const { company, isOwner, mayInvite, email, secondFactor, members, invites, rules, currency } = data;
  return (
    <div className="page">
      <h1>{text("members.heading", { company })}</h1>
      <ErrorSummary form={others} fields={[]} />
      <p>
        {text("members.whoMay")} <a href={paths.company()}>{text("account.companyDetails")}</a>
      </p>
      <ul className="cards">
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            mayChange={mayInvite}
            currency={currency}
            lastResult={intent === "limits" && result?.initialValue?.member === member.userId ? result : null}
          />
        ))}
      </ul>
      <OrderRulesForm
        {...rules}
        currency={currency}
        mayChange={mayInvite}
        lastResult={intent === "rules" ? result : null}
      />
      {isOwner && (
        <>
          {invites.length > 0 && (
            <section aria-labelledby="invites-title">
              <h2 id="invites-title">{text("members.invited")}</h2>
              <ul className="cards">
                {invites.map(({ id, email, role, until }) => (
                  <li key={id} className="card member">
                    <p>
                      <strong>
                        <Breakable>{email}</Breakable>
                      </strong>
                      <span className="hint">
                        <Rich
                          text={text("members.invitedAs", { role, date: until.text })}
                          parts={{ date: () => <DateText {...until} /> }}
                        />
                      </span>
                    </p>
                    <form method="post">
                      <input type="hidden" name="invite" value={id} />
                      <SubmitButton name="intent" value="withdraw" variant="quiet">
                        <Rich
                          text={text("members.withdraw", { email })}
                          parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
                        />
                      </SubmitButton>
                    </form>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {mayInvite ? (
            <InviteForm lastResult={isInvite ? result : null} />
          ) : (
            <ConfirmEmail email={email}>{text("members.confirmToInvite")}</ConfirmEmail>
          )}
        </>
      )}
      {secondFactor !== null && <RequiredFactor {...secondFactor} />}
    </div>
  );
}
