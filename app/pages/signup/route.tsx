/** Sign-up with a password. The login page follows automatically and leads to where the visitor was going. */

import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { signUp, userCreated } from "#server/accounts/sign-up.ts";
import { allNames } from "#server/catalogue/families/registry.ts";
import { phoneForms } from "#server/foundation/countries/registry.ts";
import { msg, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { LoginEmail } from "../../forms/login-email.tsx";
import { phoneAttribute } from "../../forms/phone.ts";
import { signUpSchema } from "../../forms/sign-up-schema.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { refreshTo } from "../../http/request-context.ts";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { RedirectingToLogin } from "../login/redirecting-to-login.tsx";

/** docs/specification.md, section 9.3. */
const loginAfterSeconds = 3;

export const handle: Handle = { publiclyCacheable: true };

export const meta = indexedPage<{ title: string; description: string }>(({ title, description }) => ({
  title,
  description,
  path: paths.signup(),
}));

/** The login that returns to that path. */
const loginFor = (next: string) => paths.login(next === paths.home() ? undefined : next);

export const loader = pageLoader(z.unknown(), async ({ url, session, text, language }) => {
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  return {
    title: text("access.signUpTitle"),
    description: text("access.signUpDescription", { sells: allNames[language] }),
    next,
    phone: phoneAttribute(phoneForms),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: signUpSchema,
  faultMessage: msg("access.signUpFailed"),
  handler: async (request, _params, { phoneNumber, next, ...person }) => {
    const { context, clientAddress, language } = request;
    await signUp(context.db, { ...person, phone: phoneNumber, language }, clientAddress);
    refreshTo(request, loginAfterSeconds, loginFor(safeReturnPath(next)));
    return { output: { said: translate(language, userCreated) } };
  },
});

export default function SignUp() {
  const { title, next, phone } = useLoaderData<typeof loader>();
  const text = useTranslate();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof signUpSchema>>({
    id: "signup",
    lastResult: reply?.result ?? null,
  });
  if (reply?.output) {
    return (
      <RedirectingToLogin
        title={title}
        said={reply.output.said}
        href={loginFor(next)}
        button={text("access.logInNow")}
      />
    );
  }
  const isTaken = reply?.result.error?.email?.includes(text("access.accountExists")) === true;
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Form method="post" {...getFormProps(form)} noValidate data-when-unsent={text("access.signUpUnsent")}>
        <input type="hidden" name="next" value={next} />
        <ErrorSummary
          form={form}
          fields={[fields.firstName, fields.lastName, fields.email, fields.password, fields.phoneNumber]}
        />
        {isTaken && (
          <p>
            <Rich
              text={text("access.isYours")}
              parts={{
                login: (words) => <a href={loginFor(next)}>{words}</a>,
                reset: (words) => <a href={paths.forgotPassword()}>{words}</a>,
              }}
            />
          </p>
        )}
        <div className="row">
          <Field
            field={fields.firstName}
            label={text("access.firstName")}
            autoComplete="given-name"
            maxLength={200}
          />
          <Field
            field={fields.lastName}
            label={text("access.lastName")}
            autoComplete="family-name"
            maxLength={200}
          />
        </div>
        <LoginEmail field={fields.email} />
        <Field
          field={fields.password}
          label={text("access.password")}
          type="password"
          autoComplete="new-password"
          hint={text("access.passwordHint")}
        />
        <Field
          field={fields.phoneNumber}
          label={text("access.mobileNumber")}
          type="tel"
          autoComplete="tel-national"
          inputMode="tel"
          hint={text("access.mobileNumberHint")}
          phone={phone}
        />
        <p className="hint">
          <Rich
            text={text("access.privacy")}
            parts={{ link: (words) => <a href={paths.privacy()}>{words}</a> }}
          />
        </p>
        <p className="actions">
          <SubmitButton>{text("access.signUp")}</SubmitButton>{" "}
          <a className="button quiet" href={loginFor(next)}>
            {text("access.backToLogIn")}
          </a>
        </p>
      </Form>
    </section>
  );
}
