/**
 * `/MSSignup`: paid orders that wait for their Microsoft account, each with a link to its sign-in step
 * (docs/decisions/protected-pages.md).
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listOrdersWaitingForSignInOf } from "#server/orders/find.ts";
import * as paths from "#server/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { currentPath, requesterOf } from "../../journey/guard.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { Rich, useTranslate } from "../../ui/text.tsx";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const { text } = request;
  const orders = await listOrdersWaitingForSignInOf(request.context.db, requesterOf(request), "microsoft");
  return {
    title: text("microsoftSignup.title"),
    lead: text("microsoftSignup.waiting", { count: orders.length }),
    waiting: orders.map((order) => ({
      id: order.id,
      name: order.line.name,
      quantity: text("orders.licences", { count: order.line.quantity }),
      href: currentPath(order),
    })),
  };
});

export default function MicrosoftSignup() {
  const { title, lead, waiting } = useLoaderData<typeof loader>();
  const text = useTranslate();
  if (waiting.length === 0) {
    return (
      <section className="page narrow">
        <h1>{title}</h1>
        <EmptyState message={text("microsoftSignup.nothing")}>
          <p>{text("microsoftSignup.nothingWhy")}</p>
          <p>
            <a className="button" href={paths.customerHome()}>
              {text("closure.explore")}
            </a>
          </p>
        </EmptyState>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>{title}</h1>
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
      <h2>{text("microsoftSignup.asked")}</h2>
      <ul>
        <li>{text("microsoftSignup.haveNone")}</li>
        <li>{text("microsoftSignup.haveOne")}</li>
      </ul>
    </section>
  );
}
