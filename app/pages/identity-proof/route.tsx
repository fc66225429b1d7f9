/**
 * After a sign-in at an identity provider whose email is not trusted: the visitor proves once that they own the mailbox or the
 * account. One question at a time, each a plain form. The progress is stored on the server.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import {
  codeMinutes,
  mailCode,
  proveByCode,
  proveByPassword,
  readProof,
} from "#server/accounts/identity-proofs.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProofSchema } from "../../forms/account-schemas.ts";
import { identityProofCookie, readText } from "../../http/cookies.ts";
import { backToLogin, finishIdentitySignIn, providerAt } from "../../http/identity-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { ownAddress } from "../../http/return-path.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { CodeForm, MailCodeForm, PasswordForm } from "./forms.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

/**
 * The browser's proof key and the pending sign-in it opens. @throws a redirect to the login when there is nothing to prove
 */
async function requireProof(request: RequestContext) {
  const { db, env } = request.context;
  const provider = providerAt(request, "proof");
  const key = await readText(identityProofCookie(env, provider.id), request.raw);
  const proof = key === null ? null : await readProof(db, { key, provider: provider.id });
  if (key === null || proof === null) {
    const message = request.text("access.proofOver", { provider: provider.name });
    throw await backToLogin(request, paths.home(), message);
  }
  return { provider, key, proof };
}

export const loader = pageLoader(z.unknown(), async (request) => {
  const { provider, proof } = await requireProof(request);
  const { email, codeSent, hasAccount } = proof;
  const { name } = provider;
  return {
    title: request.text("access.withProvider", { provider: name }),
    provider: name,
    email,
    codeSent,
    hasAccount,
    codeMinutes,
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: identityProofSchema,
  handler: async (request, _params, value) => {
    const { provider, key, proof } = await requireProof(request);
    const { clientAddress, language } = request;
    const step = { key, provider: provider.id, clientAddress, language };
    switch (value.intent) {
      case "mail-code":
        await mailCode(request.context, step, value.email);
        return redirect(ownAddress({ pathname: request.url.pathname, search: "" }), 303);
      case "code":
        return finishIdentitySignIn(
          request,
          provider,
          await proveByCode(request.context, step, value.code),
          proof.returnPath,
        );
      case "password":
        return finishIdentitySignIn(
          request,
          provider,
          await proveByPassword(request.context, step, value.password),
          proof.returnPath,
        );
      default:
        return assertNever(value);
    }
  },
});

export default function IdentityProof() {
  const { provider, email, codeSent, hasAccount, codeMinutes } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const text = useTranslate();
  const replyTo = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  const parts = {
    email: (words: string) => (
      <strong>
        <Breakable>{words}</Breakable>
      </strong>
    ),
  };
  const startAgain = (
    <p>
      <a href={paths.login()}>{text("access.backToSignIn")}</a>
    </p>
  );
  if (codeSent && email !== null) {
    return (
      <section className="page narrow">
        <h1>{text("access.enterCode")}</h1>
        <p>
          <Rich text={text("access.codeEmailed", { email, minutes: codeMinutes })} parts={parts} />
        </p>
        <CodeForm lastResult={replyTo("code")} />
        {hasAccount && (
          <details className="other-way" open={replyTo("password") !== undefined}>
            <summary>{text("access.usePassword")}</summary>
            <PasswordForm lastResult={replyTo("password")} email={email} />
          </details>
        )}
        <details className="other-way" open={replyTo("mail-code") !== undefined}>
          <summary>{text("access.noEmail")}</summary>
          <MailCodeForm lastResult={replyTo("mail-code")} email={email} button={text("access.newCode")} />
        </details>
        {startAgain}
      </section>
    );
  }
  if (hasAccount && email !== null) {
    return (
      <section className="page narrow">
        <h1>{text("access.isYourAccount")}</h1>
        <p>
          <Rich text={text("access.hasAccount", { email, provider })} parts={parts} />
        </p>
        <PasswordForm lastResult={replyTo("password")} email={email} />
        <h2>{text("access.withoutPassword")}</h2>
        <MailCodeForm
          lastResult={replyTo("mail-code")}
          email={email}
          button={text("access.emailCode")}
          quiet
        />
        {startAgain}
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{text(email === null ? "access.whatEmail" : "access.isYourEmail")}</h1>
      <p>{text(email === null ? "access.emailUnknown" : "access.emailUnsure", { provider })}</p>
      <MailCodeForm lastResult={replyTo("mail-code")} email={email ?? ""} button={text("access.emailCode")} />
      {startAgain}
    </section>
  );
}
