/** `/login/code`: second step of a sign-in, with an authenticator code or a recovery code. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { completeSignIn, readPendingSignIn } from "#server/accounts/complete-sign-in.ts";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { loginCodeSchema } from "../../forms/account-schemas.ts";
import { CodeField } from "../../forms/code-field.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { pendingSignInCookie, readText } from "../../http/cookies.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, redirectWith, setSession } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

function backToLogin(request: RequestContext, next: string): Promise<Response> {
  const message = request.text("twoStep.signInOver");
  return redirectWith(request, loginFor(next), { type: "error", message });
}

function loginFor(next: string): string {
  return paths.login(next === paths.home() ? undefined : next);
}

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, session, text, url } = request;
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  const key = await readText(pendingSignInCookie(context.env), request.raw);
  const pending = key === null ? null : await readPendingSignIn(context.db, key);
  if (pending === null) throw await backToLogin(request, next);
  return {
    title: text("twoStep.enterTitle"),
    email: pending.email,
    hasPasskeys: pending.hasPasskeys,
    next,
    login: loginFor(next),
    supportUrl: brand.supportUrl,
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: loginCodeSchema,
  handler: async (request, _params, { code, next }) => {
    const to = safeReturnPath(next);
    const cookie = pendingSignInCookie(request.context.env);
    const key = await readText(cookie, request.raw);
    if (key === null || (await readPendingSignIn(request.context.db, key)) === null)
      return backToLogin(request, to);
    const { session, recoveryCodesLeft } = await completeSignIn(request.context, { key, code });
    await setSession(request, session);
    request.responseHeaders.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
    if (recoveryCodesLeft === null) return redirect(to, 303);
    return redirectWith(request, to, {
      type: "success",
      message: request.text("twoStep.recoveryCodeUsed", { count: recoveryCodesLeft }),
    });
  },
});

export default function LoginCode() {
  const { title, email, hasPasskeys, next, login, supportUrl } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const [form, fields] = useForm<{ code: string; next: string }>({
    id: "login-code",
    lastResult: useActionData<typeof action>()?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p>
        <Rich
          text={text("twoStep.signingInAs", { email })}
          parts={{ email: (words) => <Breakable>{words}</Breakable> }}
        />
      </p>
      <Form method="post" {...getFormProps(form)} noValidate>
        <input type="hidden" name="next" value={next} />
        <ErrorSummary form={form} fields={[fields.code]} />
        <CodeField field={fields.code} hint={text("twoStep.codeHint")} />
        <p className="actions">
          <SubmitButton>{text("twoStep.signIn")}</SubmitButton>{" "}
          <a href={login}>{text("twoStep.somebodyElse")}</a>
        </p>
      </Form>
      {hasPasskeys && (
        <p>
          <a href={paths.loginPasskey(next === paths.home() ? undefined : next)}>
            {text("passkeys.withPasskey")}
          </a>
        </p>
      )}
      <p className="hint">
        <Rich text={text("twoStep.lost")} parts={{ link: (words) => <a href={supportUrl}>{words}</a> }} />
      </p>
    </section>
  );
}
