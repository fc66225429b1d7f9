/**
 * `/MSSignup`: paid orders that wait for their Microsoft account, each with a link to its sign-in step
 * (docs/decisions/protected-pages.md).
 */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listWaitingForSignIn } from "#server/orders/find.ts";
import * as paths from "#server/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { requireSession } from "../../http/request-context.ts";
import { askerOf, currentPath } from "../../journey/guard.ts";
import { Empty } from "../../ui/empty.tsx";
import { unindexedPage } from "../../ui/head.ts";

export const meta = unindexedPage("Microsoft sign-in");

export const loader = pageLoader(z.unknown(), async (request) => {
  requireSession(request);
  const orders = await listWaitingForSignIn(request.context.db, askerOf(request), "microsoft");
  return {
    waiting: orders.map((order) => ({
      id: order.id,
      name: order.line.name,
      quantity: `${order.line.quantity} ${order.line.quantity === 1 ? "licence" : "licences"}`,
      href: currentPath(order),
    })),
  };
});

export default function MicrosoftSignup() {
  const { waiting } = useLoaderData<typeof loader>();
  if (waiting.length === 0) {
    return (
      <section className="page narrow">
        <h1>Microsoft sign-in</h1>
        <Empty message="Nothing needs your answer.">
          <p>
            After you pay for a Microsoft plan, we ask which Microsoft account it goes to. An order that still
            needs your answer is listed on this page.
          </p>
          <p>
            <a className="button" href={paths.customerHome()}>
              Explore Services
            </a>
          </p>
        </Empty>
      </section>
    );
  }
  return (
    <section className="page narrow">
      <h1>Microsoft sign-in</h1>
      <p className="lead">
        {waiting.length === 1 ? "One order is paid" : `${waiting.length} orders are paid`} and only needs to
        know which Microsoft account it goes to.
      </p>
      <ul className="cards">
        {waiting.map(({ id, name, quantity, href }) => (
          <li key={id} className="card">
            <h2>{name}</h2>
            <p>{quantity}</p>
            <p>
              <a className="button" href={href}>
                Continue<span className="visually-hidden"> with {name}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
      <h2>You will be asked which is true for you</h2>
      <ul>
        <li>
          “I don't have a Microsoft account or use any Microsoft services like Power BI, 365, Azure, etc.”
          Then we make one: you choose a username and a domain name ending with @onmicrosoft.com.
        </li>
        <li>
          “I have a Microsoft account and want to add this subscription to my existing account.” Then you give
          its username and approve us there once.
        </li>
      </ul>
    </section>
  );
}
