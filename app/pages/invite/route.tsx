/**
 * `/invite/{token}`: answering an invitation to a company. A GET changes nothing, because mail scanners open links too. The page
 * depends on the signed-in user, and reveals nothing to anyone but the invited person.
 */

import { getFormProps, useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import {
  acceptInvite,
  acceptInviteAsNew,
  inviteClosedMessage,
  isSameEmail,
  limitInviteAnswers,
  type MemberInvite,
  readInvite,
} from "#server/accounts/invites.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { safeName } from "#server/mail/safe-name.ts";
import { AccountEmail } from "../../forms/account-email.tsx";
import { inviteAnswerSchema } from "../../forms/company-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { finishSignIn } from "../../http/finish-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ownAddress } from "../../http/return-path.ts";
import { anyTokenParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DeadLinkPage, mailedLinkHead } from "../../ui/dead-link.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = mailedLinkHead;

/** Names for a reader outside the company: with the inviter's verified email after the name, as in the mail. */
function namesIn(
  { company, inviter, inviterEmail }: Pick<MemberInvite, "company" | "inviter" | "inviterEmail">,
  text: RequestContext["text"],
): { company: string; inviter: string } {
  const name = safeName(inviter) ?? "";
  return {
    company: safeName(company) ?? text("mail.theirCompany"),
    inviter:
      name === "" || inviterEmail === null ? name || (inviterEmail ?? "") : `${name} (${inviterEmail})`,
  };
}

/** The question for the reader. */
async function viewOf(request: RequestContext, invite: MemberInvite | null) {
  if (invite === null) throw new DomainError("not_found", msg("members.overTitle"));
  const { email, role } = invite;
  const { company, inviter } = namesIn(invite, request.text);
  const title = request.text("members.yourInvitation");
  const shown = { title, company, email, role, inviter };
  if (request.session !== null) {
    if (!isSameEmail(request.session.email, email))
      return { title, view: "somebody-else" as const, signedInAs: request.session.email };
    return { view: "accept" as const, ...shown };
  }
  if ((await findUserByEmail(request.context.db, email)) === null) return { view: "new" as const, ...shown };
  return { view: "log-in" as const, ...shown, login: paths.login(ownAddress(request.url)) };
}

export const loader = pageLoader(anyTokenParams, async (request, { token }) =>
  viewOf(request, await readInvite(request.context.db, token, new Date())),
);

export const action = formAction({
  params: anyTokenParams,
  open: async ({ session }) => ({
    // A signed-in user only confirms, without filling in anything.
    schema: inviteAnswerSchema(session === null ? "new" : "accept"),
    handler: async (request, { token }, answer: z.output<ReturnType<typeof inviteAnswerSchema>>) => {
      const { db, env } = request.context;
      await limitInviteAnswers(db, request.clientAddress);
      const now = new Date();
      const secrets = env.SESSION_SECRETS;
      const { invite, ...signedIn } = await db.transaction().execute((trx) => {
        if (session !== null) {
          return acceptInvite(trx, secrets, { token, userId: session.userId, now });
        }
        if (answer.intent !== "new") throw new DomainError("conflict", inviteClosedMessage);
        return acceptInviteAsNew(trx, secrets, { ...answer, token, language: request.language, now });
      });
      return finishSignIn(
        request,
        signedIn,
        paths.members(),
        request.text("members.welcome", {
          company: namesIn(invite, request.text).company,
          role: invite.role,
        }),
      );
    },
  }),
});

export default function InvitePage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const text = useTranslate();
  const parts = { email: (words: string) => <Breakable>{words}</Breakable> };
  const [form, fields] = useForm<{ firstName: string; lastName: string; password: string }>({
    id: "invite",
    lastResult: result,
  });
  if (data.view === "somebody-else") {
    return (
      <section className="page narrow">
        <h1>{text("members.otherTitle")}</h1>
        <p>
          <Rich text={text("members.otherAddress", { email: data.signedInAs })} parts={parts} />
        </p>
        <form method="post" action={paths.logout()}>
          <SubmitButton>{text("members.logOut")}</SubmitButton>
        </form>
      </section>
    );
  }
  const { company, email, role, inviter } = data;
  return (
    <section className="page narrow">
      <h1>{text("members.join", { company })}</h1>
      <p className="lead">
        {inviter === ""
          ? text("members.invitedBySomebody", { role })
          : text("members.invitedBy", { inviter, role })}
      </p>
      {data.view === "log-in" && (
        <>
          <p>
            <Rich text={text("members.logInToJoin", { email })} parts={parts} />
          </p>
          <p>
            <a className="button" href={data.login}>
              {text("members.logIn")}
            </a>
          </p>
        </>
      )}
      {data.view !== "log-in" && (
        <form method="post" {...getFormProps(form)} noValidate>
          <input type="hidden" name="intent" value={data.view} />
          <ErrorSummary form={form} fields={[fields.firstName, fields.lastName, fields.password]} />
          {data.view === "new" && (
            <>
              <AccountEmail email={email} />
              <Field field={fields.firstName} label={text("members.firstName")} autoComplete="given-name" />
              <Field field={fields.lastName} label={text("members.lastName")} autoComplete="family-name" />
              <Field
                field={fields.password}
                label={text("members.password")}
                type="password"
                autoComplete="new-password"
                hint={text("members.passwordHint")}
              />
            </>
          )}
          {data.view === "accept" && (
            <p>
              <Rich text={text("members.signedInAs", { email })} parts={parts} />
            </p>
          )}
          <SubmitButton>
            <Breakable>{text("members.join", { company })}</Breakable>
          </SubmitButton>
        </form>
      )}
    </section>
  );
}

export function ErrorBoundary() {
  const text = useTranslate();
  return (
    <DeadLinkPage>
      <h1>{text("members.overTitle")}</h1>
      <p>{text("members.overWhy")}</p>
      <p>{text("members.joinedAlready")}</p>
      <p className="actions">
        <a className="button" href={paths.login()}>
          {text("members.logIn")}
        </a>{" "}
        <a href={paths.home()}>{text("members.toShop")}</a>
      </p>
    </DeadLinkPage>
  );
}
