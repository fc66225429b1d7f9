/** `/desk/login`: the first step of a sign-in at the desk. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { signInWithPassword } from "#server/desk/sign-in.ts";
import * as paths from "#server/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { deskReturnPath, deskSessionOf, entranceAction, entranceLoader, setDeskSession } from "../door.ts";
import { deskHandle } from "../handle.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Sign in at the desk");

const schema = z.object({
  email: z.string("Enter your email address.").trim().min(1, "Enter your email address.").max(254),
  password: z.string("Enter your password.").min(1, "Enter your password.").max(1024),
  next: z.string().max(500).optional(),
});

export const loader = entranceLoader(z.unknown(), async (request) => {
  const next = deskReturnPath(request.url.searchParams.get("next"));
  const session = await deskSessionOf(request);
  const isRequired = request.context.env.DESK_SECOND_FACTOR === "required";
  if (session?.verifiedAt != null && (session.staff.hasSecondFactor || !isRequired)) throw redirect(next);
  return { next };
});

export const action = entranceAction({
  params: z.unknown(),
  schema,
  handler: async (request, _params, { email, password, next }) => {
    const { db, env } = request.context;
    const { token, needsCode } = await signInWithPassword(
      db,
      { email, password },
      {
        clientAddress: request.clientAddress,
        client: request.raw.headers.get("user-agent") ?? "",
        isFactorRequired: env.DESK_SECOND_FACTOR === "required",
      },
    );
    await setDeskSession(request, token);
    const to = deskReturnPath(next);
    return redirect(needsCode ? paths.deskCode(to) : to, 303);
  },
});

export default function DeskLogin() {
  const { next } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string; password: string; next: string }>({
    id: "desk-login",
    lastResult: reply?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>Sign in at the desk</h1>
      <Form method="post" {...getFormProps(form)} noValidate>
        <input type="hidden" name="next" value={next} />
        <ErrorSummary form={form} fields={[fields.email, fields.password]} />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" />
        <Field field={fields.password} label="Password" type="password" autoComplete="current-password" />
        <p className="actions">
          <SubmitButton>Continue</SubmitButton>
        </p>
      </Form>
      <p className="hint">
        For the people who run the store. An admin gives you an account, and a new link if you have lost your
        password or your authenticator app.
      </p>
    </section>
  );
}
