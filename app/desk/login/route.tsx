/** `/desk/login`: first step of a Desk sign-in. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { signInStaffWithPassword } from "#server/desk/staff-sign-in.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { deskHandle } from "../handle.ts";
import {
  deskReturnPath,
  setStaffSession,
  signedOutAction,
  signedOutLoader,
  staffSessionOf,
} from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Sign in to Desk");

const schema = z.object({
  email: z.string("Enter your email address.").trim().min(1, "Enter your email address.").max(254),
  password: z.string("Enter your password.").min(1, "Enter your password.").max(1024),
  next: z.string().max(500).optional(),
});

export const loader = signedOutLoader(z.unknown(), async (request) => {
  const next = deskReturnPath(request.url.searchParams.get("next"));
  const session = await staffSessionOf(request);
  const isRequired = request.context.env.DESK_SECOND_FACTOR === "required";
  if (session?.verifiedAt != null && (session.staff.hasSecondFactor || !isRequired)) throw redirect(next);
  return { next };
});

export const action = signedOutAction({
  params: z.unknown(),
  schema,
  handler: async (request, _params, { email, password, next }) => {
    const { db, env } = request.context;
    const { token, needsCode } = await signInStaffWithPassword(
      db,
      { email, password },
      {
        clientAddress: request.clientAddress,
        client: request.raw.headers.get("user-agent") ?? "",
        isFactorRequired: env.DESK_SECOND_FACTOR === "required",
      },
    );
    await setStaffSession(request, token);
    const to = deskReturnPath(next);
    return redirect(needsCode ? paths.deskCode(to) : to, 303);
  },
});

export default function StaffLogin() {
  const { next } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ email: string; password: string; next: string }>({
    id: "desk-login",
    lastResult: reply?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>Sign in to Desk</h1>
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
        For store staff. An admin can give you an account, or a new link if you've lost your password or
        authenticator app.
      </p>
    </section>
  );
}
