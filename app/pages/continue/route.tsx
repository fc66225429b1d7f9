/** For a link that carried a session: asks whether the visitor wants to sign in with it. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { acceptOffer, readOffer } from "../../http/arrival.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";

export const meta = unindexedPage("Continue");

const nextOf = ({ url }: RequestContext) => safeReturnPath(url.searchParams.get("next"));

export const loader = pageLoader(z.unknown(), async (request) => {
  const holder = await readOffer(request);
  if (holder === null) throw redirect(nextOf(request));
  return { email: holder.email, signedInAs: request.session?.email ?? null, next: nextOf(request) };
});

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    await acceptOffer(request);
    return redirect(nextOf(request), 303);
  },
});

export default function Continue() {
  const { email, signedInAs, next } = useLoaderData<typeof loader>();
  return (
    <section className="page narrow">
      <h1>Is this your account?</h1>
      <p className="lead">
        The link you followed signs you in as <Breakable>{email}</Breakable>.
      </p>
      <p>
        {signedInAs === null
          ? "If this is not your account, do not continue: what you order would belong to somebody else."
          : `You are signed in as ${signedInAs}. If you continue, you are signed out of that account. If ${email} is not yours, stay: what you order would belong to somebody else.`}
      </p>
      <form method="post">
        <p className="actions">
          <SubmitButton>
            <Breakable>{`Continue as ${email}`}</Breakable>
          </SubmitButton>{" "}
          <a href={next}>{signedInAs === null ? "Go on without signing in" : `Stay ${signedInAs}`}</a>
        </p>
      </form>
    </section>
  );
}
