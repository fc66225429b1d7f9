/**
 * `/MSSignup`: which Microsoft account a purchase goes to, as the specification draws it. Paid orders that wait for the answer are
 * listed above it, and Next takes what was entered to the first of them (docs/decisions/pages.md#home-and-mssignup).
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import * as paths from "#server/foundation/paths.ts";
import { listOrdersWaitingForSignInOf } from "#server/orders/find.ts";
import { Choice } from "../../forms/choice.tsx";
import { nameLike } from "../../forms/field.tsx";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { currentPath, requesterOf } from "../../journey/guard.ts";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const { text } = request;
  const orders = await listOrdersWaitingForSignInOf(request.context.db, requesterOf(request), "microsoft");
  const waiting = orders.map((order) => ({
    id: order.id,
    name: order.line.name,
    quantity: text("orders.licences", { count: order.line.quantity }),
    href: currentPath(order),
  }));
  return {
    title: text("microsoftSignup.title"),
    lead: text("microsoftSignup.waiting", { count: orders.length }),
    waiting,
    next: waiting[0]?.href ?? paths.customerHome(),
  };
});

export default function MicrosoftSignup() {
  const { title, lead, waiting, next } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      {waiting.length === 0 ? (
        <p className="lead">{text("microsoftSignup.nothingWhy")}</p>
      ) : (
        <>
          <p className="lead">{lead}</p>
          <ul className="cards">
            {waiting.map(({ id, name, quantity, href }) => (
              <li key={id} className="card">
                <h2>{name}</h2>
                <p>{quantity}</p>
                <p>
                  <a className="button" href={href}>
                    <Rich
                      text={text("microsoftSignup.goOn", { name })}
                      parts={{ hidden: (inner) => <span className="visually-hidden">{inner}</span> }}
                    />
                  </a>
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      <AccountForm next={next} isAsked={waiting.length > 0} />
    </section>
  );
}

/** @param isAsked whether an order waits for the answers; otherwise Next leads to the plans and drops them */
function AccountForm({ next, isAsked }: { next: string; isAsked: boolean }) {
  const text = useTranslate();
  const named = (name: string) => (isAsked ? { name } : {});
  return (
    <form action={next} method="get">
      <fieldset className="field">
        <legend>{text("microsoftSignup.asked")}</legend>
        {accountChoices.map(({ value, title, hint }, index) => (
          <Choice
            key={value}
            name="mode"
            value={value}
            defaultChecked={index === 0}
            title={text(title)}
            hint={text(hint)}
          />
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor="username">{text("forms.username")}</label>
        <input id="username" {...named("username")} maxLength={200} {...nameLike} />
      </div>
      <div className="field">
        <label htmlFor="prefix">{text("forms.domainName")}</label>
        <span className="with-suffix">
          <input id="prefix" {...named("prefix")} maxLength={27} {...nameLike} aria-describedby="suffix" />
          <span className="suffix" id="suffix">
            {suffix}
          </span>
        </span>
      </div>
      <p className="actions">
        <SubmitButton>{text("forms.next")}</SubmitButton>
      </p>
      {isAsked && <p>{text("microsoftSignup.thanks")}</p>}
    </form>
  );
}

/** The suffix of this screen in the specification; in the sign-in step it begins with a dot. */
const suffix = "@onmicrosoft.com";

const accountChoices = [
  { value: "new", title: "microsoftSignup.haveNone", hint: "microsoftSignup.haveNoneHint" },
  { value: "existing", title: "microsoftSignup.haveOne", hint: "microsoftSignup.haveOneHint" },
] as const;
