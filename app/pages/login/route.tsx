/** Signs in, and returns to the page the visitor was going to. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { logIn, loginFailed } from "#server/accounts/login.ts";
import { brand } from "#server/brand.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { loginSchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { setSession } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { OutlookLink } from "./outlook-link.tsx";

export const handle: Handle = { sameForEveryone: true };

export const meta = indexedPage(() => ({
  title: "Sign in",
  description: "Sign in to buy licences, renew subscriptions and see your orders and invoices.",
  path: paths.login(),
}));

export const loader = pageLoader(z.unknown(), async ({ url, session }) => {
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  return { next, loginFailed, supportUrl: brand.supportUrl };
});

export const action = formAction({
  params: z.unknown(),
  schema: loginSchema,
  whenBroken: loginFailed,
  handler: async (request, _params, { email, password, next }) => {
    const { db, env } = request.context;
    await setSession(
      request,
      await logIn(db, env.SESSION_SECRETS, { email, password }, request.clientAddress),
    );
    return redirect(safeReturnPath(next), 303);
  },
});

export default function Login() {
  const { next, supportUrl, ...data } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string; password: string; next: string }>({
    id: "login",
    lastResult: reply?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>Sign in</h1>
      <Form method="post" {...getFormProps(form)} noValidate data-when-unsent={data.loginFailed}>
        <input type="hidden" name="next" value={next} />
        <ErrorSummary form={form} fields={[fields.email, fields.password]} />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field field={fields.password} label="Password" type="password" autoComplete="current-password" />
        <p className="actions">
          <SubmitButton>Sign in</SubmitButton> <a href={paths.forgotPassword()}>Reset Password?</a>
        </p>
      </Form>
      <OutlookLink next={next} />
      <p className="hint">
        Was your account made while you ordered? Then set your password first, with the link in the email we
        sent you.
      </p>
      <p>
        New here? <a href={paths.signup(next === paths.home() ? undefined : next)}>Sign up</a>
      </p>
      <p>
        <a href={supportUrl}>Contact Support</a>
      </p>
    </section>
  );
}
