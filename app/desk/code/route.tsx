/** `/desk/code`: second step of a Desk sign-in, with an authenticator code or a recovery code. */
import { getFormProps, useForm } from "@conform-to/react";
import { redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { signInStaffWithCode } from "#server/desk/staff-sign-in.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { CodeField } from "../code-field.tsx";
import { deskHandle } from "../handle.ts";
import {
  deskReturnPath,
  setStaffSession,
  signedOutAction,
  signedOutLoader,
  staffSessionOf,
} from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Two-step sign-in");

const schema = z.object({
  code: z.string("Enter a code.").trim().min(1, "Enter a code.").max(40),
  next: z.string().max(500).optional(),
});

export const loader = signedOutLoader(z.unknown(), async (request) => {
  const next = deskReturnPath(request.url.searchParams.get("next"));
  const session = await staffSessionOf(request);
  if (session === null) throw redirect(paths.deskLogin(next));
  if (session.verifiedAt !== null) throw redirect(next);
  return { next, email: session.staff.email };
});

export const action = signedOutAction({
  params: z.unknown(),
  schema,
  handler: async (request, _params, { code, next }) => {
    const to = deskReturnPath(next);
    const session = await staffSessionOf(request);
    if (session === null) return redirect(paths.deskLogin(to), 303);
    const client = request.raw.headers.get("user-agent") ?? "";
    await setStaffSession(request, await signInStaffWithCode(request.context, session, code, client));
    return redirect(to, 303);
  },
});

export default function StaffCode() {
  const { next, email } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ code: string; next: string }>({
    id: "desk-code",
    lastResult: reply?.result ?? null,
  });
  return (
    <section className="page narrow">
      <h1>Enter a code</h1>
      <p>You are signing in as {email}.</p>
      <Form method="post" {...getFormProps(form)} noValidate>
        <input type="hidden" name="next" value={next} />
        <ErrorSummary form={form} fields={[fields.code]} />
        <CodeField field={fields.code} />
        <p className="actions">
          <SubmitButton>Sign in</SubmitButton> <a href={paths.deskLogin(next)}>Sign in as someone else</a>
        </p>
      </Form>
    </section>
  );
}
