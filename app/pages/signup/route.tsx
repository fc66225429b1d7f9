/** Sign-up with a password. The login page follows automatically and leads to where the visitor was going. */

import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { signUp, userCreated } from "#server/accounts/sign-up.ts";
import { accountExists } from "#server/accounts/users.ts";
import { phoneForms } from "#server/countries/country.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { phoneAttribute } from "../../forms/phone.ts";
import { signUpSchema } from "../../forms/sign-up-schema.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { moveOn } from "../../http/request-context.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

/** docs/specification.md, section 9.3. */
const loginAfterSeconds = 3;

export const handle: Handle = { sameForEveryone: true };

export const meta = indexedPage((_data, { sells }) => ({
  title: "Sign up",
  description: `Create an account to buy ${sells} for your company and manage every licence in one place.`,
  path: paths.signup(),
}));

/** The login that returns to that path. */
const loginFor = (next: string) => paths.login(next === paths.home() ? undefined : next);

export const loader = pageLoader(z.unknown(), async ({ url, session }) => {
  const next = safeReturnPath(url.searchParams.get("next"));
  if (session !== null) throw redirect(next);
  return { next, accountExists, phone: phoneAttribute(phoneForms) };
});

export const action = formAction({
  params: z.unknown(),
  schema: signUpSchema,
  whenBroken: "An error occurred. Please try again.",
  handler: async (request, _params, { phoneNumber, next, ...person }) => {
    const { context, clientAddress, language } = request;
    await signUp(context.db, { ...person, phone: phoneNumber, language }, clientAddress);
    moveOn(request, loginAfterSeconds, loginFor(safeReturnPath(next)));
    return { output: { said: userCreated } };
  },
});

export default function SignUp() {
  const { next, ...data } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof signUpSchema>>({
    id: "signup",
    lastResult: reply?.result ?? null,
  });
  if (reply?.output) {
    return (
      <section className="page narrow">
        <h1>Sign up</h1>
        <Callout type="success" live>
          <p>{reply.output.said}</p>
        </Callout>
        <p>The login opens by itself in a moment.</p>
        <p>
          <a className="button" href={loginFor(next)}>
            Log in now
          </a>
        </p>
      </section>
    );
  }
  const isTaken = reply?.result.error?.email?.includes(data.accountExists) === true;
  return (
    <section className="page narrow">
      <h1>Sign up</h1>
      <Form
        method="post"
        {...getFormProps(form)}
        noValidate
        data-when-unsent="Signup falied. Please try again after sometime."
      >
        <input type="hidden" name="next" value={next} />
        <ErrorSummary
          form={form}
          fields={[fields.firstName, fields.lastName, fields.email, fields.password, fields.phoneNumber]}
        />
        {isTaken && (
          <p>
            Is the account yours? <a href={loginFor(next)}>Log in</a>, or{" "}
            <a href={paths.forgotPassword()}>choose a new password</a>.
          </p>
        )}
        <div className="row">
          <Field field={fields.firstName} label="First Name" autoComplete="given-name" maxLength={200} />
          <Field field={fields.lastName} label="Last Name" autoComplete="family-name" maxLength={200} />
        </div>
        <Field field={fields.email} label="Email" type="email" autoComplete="username" inputMode="email" />
        <Field
          field={fields.password}
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="A sentence of your own, or twelve characters and more, is hard to guess."
        />
        <Field
          field={fields.phoneNumber}
          label="Mobile Number"
          type="tel"
          autoComplete="tel-national"
          inputMode="tel"
          hint="10 digits, without the country code"
          phone={data.phone}
        />
        <p className="actions">
          <SubmitButton>Sign up</SubmitButton>{" "}
          <a className="button quiet" href={loginFor(next)}>
            Back to LogIn
          </a>
        </p>
      </Form>
    </section>
  );
}
