/** Signs in, and returns to the page the visitor was going to. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { beginLogin, loginFailed } from "#server/accounts/login.ts";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import showPasswordScript from "../../enhance/show-password.ts?worker&url";
import { loginSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { LoginEmail } from "../../forms/login-email.tsx";
import { ShowPassword } from "../../forms/show-password.tsx";
import { askForCode } from "../../http/finish-sign-in.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { setSession } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ProviderLinks } from "./provider-links.tsx";

export const handle: Handle = { publiclyCacheable: true };

export const meta = indexedPage<{ title: string; description: string }>(({ title, description }) => ({
  title,
  description,
  path: paths.login(),
}));

export const loader = pageLoader(z.unknown(), async ({ context, url, session, text }) => {
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  return {
    title: text("access.signInTitle"),
    description: text("access.signInDescription"),
    next,
    providers: [...context.identityClients.keys()].map((id) => ({
      name: identityProviders[id].name,
      href: identityProviders[id].paths.signIn(next === paths.home() ? undefined : next),
    })),
    supportUrl: brand.supportUrl,
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: loginSchema,
  faultMessage: loginFailed,
  handler: async (request, _params, { email, password, next }) => {
    const { db, env } = request.context;
    const to = safeReturnPath(next);
    const login = await beginLogin(db, env.SESSION_SECRETS, { email, password }, request.clientAddress);
    if (login.outcome === "code-needed") return askForCode(request, login.key, to);
    await setSession(request, { ...login.user, token: login.token });
    return redirect(to, 303);
  },
});

export default function Login() {
  const { title, next, providers, supportUrl } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string; password: string; next: string }>({
    id: "login",
    lastResult: reply?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        data-when-unsent={text("access.loginFailed")}
        data-overlay={text("access.signingIn")}
      >
        <input type="hidden" name="next" value={next} />
        <ErrorSummary form={form} fields={[fields.email, fields.password]} />
        <LoginEmail field={fields.email} />
        <Field
          field={fields.password}
          label={text("access.password")}
          type="password"
          autoComplete="current-password"
          suffix={<ShowPassword of={fields.password.id} />}
        />
        <SubmitButton variant="wide">{text("access.signIn")}</SubmitButton>
        <p>
          <a href={paths.forgotPassword()}>{text("access.resetPassword")}</a>
        </p>
      </Form>
      <p className="or">{text("access.or")}</p>
      <ProviderLinks providers={providers} />
      <p>
        <a className="button quiet wide" href={paths.loginPasskey(next === paths.home() ? undefined : next)}>
          {text("passkeys.withPasskey")}
        </a>
      </p>
      <p className="hint">{text("access.madeWhileOrdering")}</p>
      <p>
        <Rich
          text={text("access.newHere")}
          parts={{
            link: (words) => <a href={paths.signup(next === paths.home() ? undefined : next)}>{words}</a>,
          }}
        />
      </p>
      <p>
        <a href={supportUrl}>{text("access.contactSupport")}</a>
      </p>
      <script type="module" src={showPasswordScript} />
    </section>
  );
}
