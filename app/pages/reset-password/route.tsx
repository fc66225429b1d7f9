/**
 * Setting a password with a mailed link: the first one for an account created while ordering, or a new one. For clients that
 * do not accept HTML the same address is a call (docs/decisions/pages.md#pages-that-are-also-calls).
 */
import { getFormProps, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { findLinkHolder, passwordUpdateFailed, resetPassword } from "#server/accounts/password-reset.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { pageOrJsonAction, pageOrJsonLoader } from "../../api/shared/page-or-json.ts";
import { apiLoader, jsonAction, publicAccess, requireParams, z } from "../../api/shared/route.ts";
import { newPassword, setPasswordSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { NewPasswordFields } from "../../forms/new-password-fields.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { type RequestContext, refreshTo } from "../../http/request-context.ts";
import { anyTokenParams, tokenParams } from "../../params.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { RedirectingToLogin } from "../login/redirecting-to-login.tsx";

/** docs/specification.md, section 9.3. */
const loginAfterSeconds = 2;

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const loader = pageOrJsonLoader(
  pageLoader(anyTokenParams, async ({ context, text }, { token }) => ({
    title: text("access.chooseTitle"),
    email: (await findLinkHolder(context.db, token))?.email ?? null,
  })),
  apiLoader(
    {
      summary: "Whose password an emailed link sets.",
      tag: "Account",
      access: publicAccess,
      refuses: [404],
      query: z.unknown(),
      reply: z.object({ data: z.object({ email: z.string() }) }),
    },
    async ({ context }, _query, params) => {
      const holder = await findLinkHolder(context.db, requireParams(tokenParams, params).token);
      if (holder === null) throw notFound("link");
      return { data: { email: holder.email } };
    },
  ),
);

const reset = ({ context }: RequestContext, input: { token: string; password: string }) =>
  context.db.transaction().execute((trx) => resetPassword(trx, input));

export const action = pageOrJsonAction(
  formAction({
    params: anyTokenParams,
    schema: setPasswordSchema,
    faultMessage: passwordUpdateFailed,
    handler: async (request, { token }, { password }) => {
      await reset(request, { token, password });
      refreshTo(request, loginAfterSeconds, paths.login());
      return { output: { said: request.text("access.passwordUpdated") } };
    },
  }),
  jsonAction(
    {
      summary: "Sets a password with an emailed link, once; ends every session of the account.",
      tag: "Account",
      access: publicAccess,
      refuses: [404],
      alsoGet: true,
      body: z.object({ password: newPassword }),
      reply: z.object({ ok: z.literal(true) }),
    },
    async (request, { password }, params) => {
      await reset(request, { ...requireParams(tokenParams, params), password });
      return { ok: true as const };
    },
  ),
);

export default function ResetPassword() {
  const { title, email } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ password: string; confirmPassword: string }>({
    id: "password",
    lastResult: reply?.result ?? null,
  });
  if (reply?.output) {
    return (
      <RedirectingToLogin
        title={title}
        said={reply.output.said}
        href={paths.login()}
        button={text("access.signInNow")}
      />
    );
  }
  if (email === null) {
    return (
      <section className="page narrow">
        <h1>{text("access.linkOver")}</h1>
        <ErrorSummary form={form} fields={[]} />
        <p>{text("access.linkUnchanged")}</p>
        <p className="actions">
          <a className="button" href={paths.forgotPassword()}>
            {text("access.newLink")}
          </a>{" "}
          <a href={paths.login()}>{text("access.backToSignIn")}</a>
        </p>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        data-when-unsent={text("access.passwordUpdateFailed")}
      >
        <ErrorSummary form={form} fields={[fields.password, fields.confirmPassword]} />
        <NewPasswordFields email={email} fields={fields} />
        <p className="hint">{text("access.signsOutEverywhere")}</p>
        <p className="actions">
          <SubmitButton>{text("access.submit")}</SubmitButton>{" "}
          <a href={paths.login()}>{text("access.backToSignIn")}</a>
        </p>
      </Form>
    </section>
  );
}
