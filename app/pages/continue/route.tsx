/** Asks a visitor whose link contained a session whether they want to sign in with it. */
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { emptySchema } from "../../forms/schemas.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { acceptOfferedSession, readOfferedSession } from "../../http/session-handoff.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

const nextOf = ({ url }: RequestContext) => safeReturnPath(url.searchParams.get("next"));

export const loader = pageLoader(z.unknown(), async (request) => {
  const holder = await readOfferedSession(request);
  if (holder === null) throw redirect(nextOf(request));
  return {
    title: request.text("access.continueTitle"),
    email: holder.email,
    signedInAs: request.session?.email ?? null,
    next: nextOf(request),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: emptySchema,
  handler: async (request) => {
    await acceptOfferedSession(request);
    return redirect(nextOf(request), 303);
  },
});

export default function Continue() {
  const { email, signedInAs: current, next } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{text("access.isYourAccount")}</h1>
      <p className="lead">
        <Rich
          text={text("access.linkSignsIn", { email })}
          parts={{ email: (words) => <Breakable>{words}</Breakable> }}
        />
      </p>
      <p>
        {current === null ? text("access.notYourAccount") : text("access.leavesAccount", { current, email })}
      </p>
      <form method="post">
        <p className="actions">
          <SubmitButton>
            <Breakable>{text("access.continueAs", { email })}</Breakable>
          </SubmitButton>{" "}
          <a href={next}>
            {current === null ? text("access.withoutSigningIn") : text("access.stay", { email: current })}
          </a>
        </p>
      </form>
    </section>
  );
}
