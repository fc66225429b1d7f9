/**
 * `/invite/{token}`: answering an invitation into a company. A GET changes nothing, because mail scanners open links too. The
 * page depends on who is signed in, and reveals nothing to anybody but the invited person.
 */

import { getFormProps, useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import {
  acceptInvite,
  acceptInviteAsNew,
  type Invite,
  inviteOver,
  isSameEmail,
  limitAnswers,
  readInvite,
} from "#server/accounts/invites.ts";
import { withArticle } from "#server/accounts/role-words.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { DomainError, notFound } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { AccountEmail } from "../../forms/account-email.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { inviteAnswerSchema } from "../../forms/schemas.ts";
import { enter } from "../../http/enter.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { tokenParams } from "../../params.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DeadLinkPage } from "../../ui/dead-link.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

const over = "This invitation no longer works";

export const meta = unindexedPage((data) => (data === undefined ? over : "Your invitation"));

/** The question the reader is asked. */
async function viewOf(request: RequestContext, invite: Invite | null) {
  if (invite === null) throw notFound("invitation");
  const { company, email, role, inviter } = invite;
  const shown = { company, email, role: withArticle(role), inviter };
  if (request.session !== null) {
    if (!isSameEmail(request.session.email, email))
      return { view: "somebody-else" as const, signedInAs: request.session.email };
    return { view: "accept" as const, ...shown };
  }
  if ((await findUserByEmail(request.context.db, email)) === null) return { view: "new" as const, ...shown };
  return { view: "log-in" as const, ...shown, login: paths.login(request.url.pathname) };
}

export const loader = pageLoader(tokenParams, async (request, { token }) =>
  viewOf(request, await readInvite(request.context.db, token, new Date())),
);

export const action = formAction({
  params: tokenParams,
  open: async ({ session }) => ({
    // A signed-in user only confirms and fills in nothing.
    schema: inviteAnswerSchema(session === null ? "new" : "accept"),
    handler: async (request, { token }, answer: z.output<ReturnType<typeof inviteAnswerSchema>>) => {
      const { db, env } = request.context;
      await limitAnswers(db, request.clientAddress);
      const now = new Date();
      const secrets = env.SESSION_SECRETS;
      const { invite, ...signedIn } = await db.transaction().execute((trx) => {
        if (session !== null) {
          const { userId, sessionId: leaving } = session;
          return acceptInvite(trx, secrets, { token, userId, leaving, now });
        }
        if (answer.intent !== "new") throw new DomainError("conflict", inviteOver);
        return acceptInviteAsNew(trx, secrets, { ...answer, token, language: request.language, now });
      });
      return enter(
        request,
        signedIn,
        paths.members(),
        `Welcome to ${invite.company}. You joined as ${withArticle(invite.role)}.`,
      );
    },
  }),
});

export default function InvitePage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result ?? null;
  const [form, fields] = useForm<{ firstName: string; lastName: string; password: string }>({
    id: "invite",
    lastResult: result,
  });
  if (data.view === "somebody-else") {
    return (
      <section className="page narrow">
        <h1>This invitation is for somebody else</h1>
        <p>
          You are signed in as <Breakable>{data.signedInAs}</Breakable>, and it was sent to another address.
          If that is yours too, log out and open the link again.
        </p>
        <form method="post" action={paths.logout()}>
          <SubmitButton>Log out</SubmitButton>
        </form>
      </section>
    );
  }
  const { company, email, role, inviter } = data;
  return (
    <section className="page narrow">
      <h1>Join {company}</h1>
      <p className="lead">
        {inviter} has invited you to join as {role}.
      </p>
      {data.view === "log-in" && (
        <>
          <p>
            There is an account for <Breakable>{email}</Breakable>. Log in with it, and you come back here.
          </p>
          <p>
            <a className="button" href={data.login}>
              Log in
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
              <Field field={fields.firstName} label="First Name" autoComplete="given-name" />
              <Field field={fields.lastName} label="Last Name" autoComplete="family-name" />
              <Field
                field={fields.password}
                label="Password"
                type="password"
                autoComplete="new-password"
                hint="At least 8 characters"
              />
            </>
          )}
          {data.view === "accept" && (
            <p>
              You are signed in as <Breakable>{email}</Breakable>.
            </p>
          )}
          <SubmitButton>
            <Breakable>{`Join ${company}`}</Breakable>
          </SubmitButton>
        </form>
      )}
    </section>
  );
}

export function ErrorBoundary() {
  return (
    <DeadLinkPage>
      <h1>{over}</h1>
      <p>
        It has been used, withdrawn, or is older than seven days; or a part of the link is missing. Ask an
        owner of the company to send another.
      </p>
      <p>Have you joined already? Then log in with the email that was invited.</p>
      <p className="actions">
        <a className="button" href={paths.login()}>
          Log in
        </a>{" "}
        <a href={paths.home()}>Go to the shop</a>
      </p>
    </DeadLinkPage>
  );
}
