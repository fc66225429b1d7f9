/** `/account/sign-ins`: the identity providers connected with the account: connecting another, and removing one. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { connectIdentity, disconnectIdentity, listConnected } from "#server/accounts/connected-identities.ts";
import { readSecondFactor } from "#server/accounts/second-factor.ts";
import { findUser } from "#server/accounts/users.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { signInsSchema } from "../../forms/account-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { clearPendingLink, readPendingLink } from "../../http/pending-identity-link.ts";
import { redirectWith, requireOwnAccount } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { DateText, type DateView } from "../../ui/date-text.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";
import { ProviderLinks } from "../login/provider-links.tsx";
import { ConfirmEmail } from "./confirm-email.tsx";
import { MailedCode } from "./mailed-code.tsx";
import { ReauthFields, type ReauthFieldsProps } from "./reauth-fields.tsx";
import { ReauthForm } from "./reauth-form.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireOwnAccount(request);
  const { context, language, text } = request;
  const { db, identityClients } = context;
  const user = await findUser(db, session.userId);
  const factor = await readSecondFactor(db, session.userId);
  const offer = await readPendingLink(request);
  const country = session.customer?.country ?? standardCountry;
  return {
    title: text("signIns.title"),
    email: session.email,
    isProven: user?.emailVerifiedAt != null,
    proof: user?.hasPassword === true ? ("password" as const) : ("mailed-code" as const),
    codes: factor === null ? null : factor.appSince === null ? ("recovery" as const) : ("app" as const),
    offer: offer && { provider: identityProviders[offer.provider].name, email: offer.email },
    connected: (await listConnected(db, session.userId)).map(({ key, provider, email, createdAt }) => ({
      key,
      provider: identityProviders[provider].name,
      email,
      since: dateView(createdAt, country, language),
    })),
    providers: [...identityClients.keys()].map((id) => ({
      name: identityProviders[id].name,
      href: identityProviders[id].paths.signIn(undefined, "yes"),
    })),
  };
});

export const action = formAction({
  params: z.unknown(),
  schema: signInsSchema,
  handler: async (request, _params, value) => {
    const { context, text } = request;
    const session = requireOwnAccount(request);
    const done = (message: string) => redirectWith(request, paths.signIns(), { type: "success", message });
    if (value.intent === "remove") {
      const provider = await disconnectIdentity(context, session, value);
      return done(provider === null ? text("signIns.goneAlready") : text("signIns.removed", { provider }));
    }
    const offer = await readPendingLink(request);
    if (offer === null) throw new DomainError("conflict", msg("signIns.over"));
    await connectIdentity(context, session, offer, value);
    await clearPendingLink(request);
    return done(text("signIns.connectedNow", { provider: identityProviders[offer.provider].name }));
  },
});

export default function SignIns() {
  const { title, email, isProven, proof, codes, offer, connected, providers } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const text = useTranslate();
  const shown = { proof, codes };
  const resultOf = (intent: string) => (result?.initialValue?.intent === intent ? result : undefined);
  const removing = resultOf("remove");
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <p className="lead">{text("signIns.lead")}</p>
      {isProven && proof === "mailed-code" && <MailedCode email={email} next={paths.signIns()} />}
      {offer !== null && (
        <>
          <h2>{text("signIns.connectTitle", { provider: offer.provider })}</h2>
          <p>
            <Rich
              text={
                offer.email === null
                  ? text("signIns.connectNameless", { provider: offer.provider })
                  : text("signIns.connectNamed", { provider: offer.provider, email: offer.email })
              }
              parts={{ email: emphasised }}
            />
          </p>
          <ReauthForm intent="connect" lastResult={resultOf("connect")} {...shown}>
            <SubmitButton>{text("signIns.connect", { provider: offer.provider })}</SubmitButton>
          </ReauthForm>
        </>
      )}
      <h2>{text("signIns.list")}</h2>
      {connected.length === 0 ? (
        <p>{text("signIns.none")}</p>
      ) : (
        <ul className="cards" aria-label={text("signIns.list")}>
          {connected.map((identity, index) => (
            <ConnectedRow
              key={identity.key}
              id={`remove-${index}`}
              identity={identity}
              lastResult={removing?.initialValue?.key === identity.key ? removing : undefined}
              {...shown}
            />
          ))}
        </ul>
      )}
      <h2>{text("signIns.addTitle")}</h2>
      {isProven ? (
        <>
          <ProviderLinks providers={providers} />
          <p className="hint">{text("signIns.standsOnPassword")}</p>
        </>
      ) : (
        <ConfirmEmail email={email}>{text("signIns.confirmEmail")}</ConfirmEmail>
      )}
      <p>
        <a href={paths.account()}>{text("account.back")}</a>
      </p>
    </section>
  );
}

const emphasised = (words: string) => (
  <strong>
    <Breakable>{words}</Breakable>
  </strong>
);

type ConnectedRowProps = Omit<ReauthFieldsProps, "fields"> & {
  id: string;
  identity: { key: string; provider: string; email: string | null; since: DateView };
  lastResult: SubmissionResult<string[]> | undefined;
};

function ConnectedRow({ id, identity, lastResult, ...shown }: ConnectedRowProps) {
  const { key, provider, email, since } = identity;
  const text = useTranslate();
  const [form, fields] = useForm<{ currentPassword: string; code: string }>({
    id,
    lastResult: lastResult ?? null,
  });
  return (
    <li className="card">
      <p>
        <strong>{provider}</strong>
        {email !== null && (
          <>
            {" "}
            <Breakable>{email}</Breakable>
          </>
        )}
        <br />
        <span className="hint">
          <Rich
            text={text("signIns.since", { since: since.text })}
            parts={{ since: () => <DateText {...since} /> }}
          />
        </span>
      </p>
      <details open={lastResult !== undefined}>
        <summary>
          <Rich
            text={text("signIns.remove", { provider })}
            parts={{ hidden: (words) => <span className="visually-hidden">{words}</span> }}
          />
        </summary>
        <Form method="post" {...getFormProps(form)} noValidate>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="key" value={key} />
          <ErrorSummary form={form} fields={[fields.currentPassword, fields.code]} />
          <ReauthFields fields={fields} {...shown} />
          <p className="actions">
            <SubmitButton variant="danger">{text("signIns.removeNamed", { provider })}</SubmitButton>
          </p>
        </Form>
      </details>
    </li>
  );
}
