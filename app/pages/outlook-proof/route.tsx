/**
 * After an Outlook sign-in whose email is not trusted: the visitor proves once that the mailbox or the account is theirs. One
 * question at a time, each a plain form. The progress is kept on the server.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  codeMinutes,
  mailCode,
  proofOver,
  proveByCode,
  proveByPassword,
  readProof,
} from "#server/accounts/identity-proofs.ts";
import { unreachable } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { outlookProofSchema } from "../../forms/schemas.ts";
import { outlookProofCookie, readText } from "../../http/cookies.ts";
import { backToLogin, enterByOutlook } from "../../http/outlook.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { CodeForm, MailCodeForm, PasswordForm } from "./forms.tsx";

export const meta = unindexedPage("Continue with Outlook");

/**
 * The browser's proof key and the pending sign-in it opens. @throws a redirect to the login when there is nothing to prove
 */
async function requireProof(request: RequestContext) {
  const { db, env } = request.context;
  const key = await readText(outlookProofCookie(env), request.raw);
  const proof = key === null ? null : await readProof(db, key);
  if (key === null || proof === null) throw await backToLogin(request, paths.home(), proofOver);
  return { key, proof };
}

export const loader = pageLoader(z.unknown(), async (request) => {
  const { email, codeSent, hasAccount } = (await requireProof(request)).proof;
  return { email, codeSent, hasAccount, codeMinutes };
});

export const action = formAction({
  params: z.unknown(),
  schema: outlookProofSchema,
  handler: async (request, _params, value) => {
    const { key, proof } = await requireProof(request);
    const { clientAddress, language } = request;
    const step = { key, clientAddress, language };
    switch (value.intent) {
      case "mail-code":
        await mailCode(request.context, step, value.email);
        return redirect(paths.outlookProof(), 303);
      case "code":
        return enterByOutlook(
          request,
          await proveByCode(request.context, step, value.code),
          proof.returnPath,
        );
      case "password":
        return enterByOutlook(
          request,
          await proveByPassword(request.context, step, value.password),
          proof.returnPath,
        );
      default:
        return unreachable(value);
    }
  },
});

export default function OutlookProof() {
  const { email, codeSent, hasAccount, codeMinutes } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const replyTo = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  const startAgain = (
    <p>
      <a href={paths.login()}>Back to Sign In</a>
    </p>
  );
  if (codeSent && email !== null) {
    return (
      <section className="page narrow">
        <h1>Enter the code</h1>
        <p>
          We have emailed a code to{" "}
          <strong>
            <Breakable>{email}</Breakable>
          </strong>
          . It works once, for {codeMinutes} minutes.
        </p>
        <CodeForm lastResult={replyTo("code")} />
        {hasAccount && (
          <details className="other-way" open={replyTo("password") !== undefined}>
            <summary>Use the password of this account instead</summary>
            <PasswordForm lastResult={replyTo("password")} email={email} />
          </details>
        )}
        <details className="other-way" open={replyTo("mail-code") !== undefined}>
          <summary>No email, or another address?</summary>
          <MailCodeForm lastResult={replyTo("mail-code")} email={email} button="Email me a new code" />
        </details>
        {startAgain}
      </section>
    );
  }
  if (hasAccount && email !== null) {
    return (
      <section className="page narrow">
        <h1>Is this your account?</h1>
        <p>
          <strong>
            <Breakable>{email}</Breakable>
          </strong>{" "}
          has an account with us. Outlook cannot tell us that this address is yours, so please show it once.
          From then on you can sign in with Outlook as well.
        </p>
        <PasswordForm lastResult={replyTo("password")} email={email} />
        <h2>Or without the password</h2>
        <MailCodeForm lastResult={replyTo("mail-code")} email={email} button="Email me a code" quiet />
        {startAgain}
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{email === null ? "What is your email?" : "Is this your email?"}</h1>
      <p>
        {email === null ? "Outlook did not tell us your email." : "Outlook cannot tell us that it is."} We
        will email a code there, once, and keep your orders under it.
      </p>
      <MailCodeForm lastResult={replyTo("mail-code")} email={email ?? ""} button="Email me a code" />
      {startAgain}
    </section>
  );
}
