/** `/desk/customers/{company}`: all that is stored about a company, what its vendors say beside it, and the acts that fit. */

import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { z } from "zod";
import { type CustomerId, parseId } from "#db/ids.ts";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { type ComparedValue, type CustomerView, readCustomer } from "#server/desk/customers.ts";
import { auditActionLabel } from "#server/desk/labels.ts";
import { notFound } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import * as paths from "#server/paths.ts";
import { fullName } from "#server/placeholders.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { ActionLinks } from "../action-links.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { StateBadge } from "../state-badge.tsx";
import { type TimeView, timeView } from "../view.ts";
import { Word } from "../word.tsx";

export const handle = deskHandle;
export const meta = noindexMeta<{ name: string }>((data) => data?.name ?? "");

const params = z.object({ company: z.string().max(100) });

const methods = {
  made: "created by this store",
  "sign-in": "an administrator signed in",
  "transfer-token": "moved here with a transfer token",
  dns: "shown in DNS",
  staff: "linked by staff",
} as const;

export const loader = deskLoader("customer", params, async ({ context, desk }, { company }) => {
  const id = parseId<CustomerId>(company);
  if (id === null) throw notFound("company");
  const view = await readCustomer(context.db, id);
  const time = (at: Date | null) => (at === null ? null : timeView(at));
  const acts = await possibleActs(context, desk.staff.role, "customer", id);
  return {
    name: view.customer.name,
    twins: view.twins.map(({ id: other, ...twin }) => ({ ...twin, href: paths.deskCustomer(other) })),
    facts: [
      ["Country", view.countryName],
      ["Id", id],
      ...view.addresses
        .slice(0, 5)
        .map((address): [string, string] => [
          "Address",
          [
            [address.addressLine1, address.addressLine2, address.city, address.state, address.pincode]
              .filter(Boolean)
              .join(", "),
            address.gstCode === null ? null : `GSTIN ${address.gstCode}`,
            address.organisationRegistrationNumber === ""
              ? null
              : `registration ${address.organisationRegistrationNumber}`,
            `${fullName(address)}, ${address.email}, ${address.phone}`,
          ]
            .filter((part) => part !== null)
            .join("; "),
        ]),
      ["TDS", withheldIn(view.tax)],
    ] satisfies [string, string][],
    acts: acts.map(({ id: act, label }) => ({ label, href: paths.deskActionForm(act, id) })),
    people: view.people.map(({ lastSignIn, ...person }) => ({ ...person, lastSignIn: time(lastSignIn) })),
    tenants: view.tenants.map(({ family, method, provenUntil, createdAt, ...tenant }) => ({
      ...tenant,
      vendor: families[family].label,
      since: timeView(createdAt),
      proof: method === null ? "never verified" : methods[method],
      isOver: provenUntil !== null && provenUntil <= new Date(),
      until: time(provenUntil),
    })),
    subscriptions: view.subscriptions.map(({ readAt, ...subscription }) => ({
      ...subscription,
      readAt: time(readAt),
    })),
    orders: view.orders.map(({ createdAt, ...order }) => ({ ...order, begun: timeView(createdAt) })),
    documents: view.documents.map(({ issuedAt, ...document }) => ({
      ...document,
      issued: timeView(issuedAt),
    })),
    entries: view.acts.map(({ at, action, ...entry }) => ({
      ...entry,
      action: auditActionLabel(action),
      at: timeView(at),
    })),
  };
});

function withheldIn({ rateBasisPoints, section, deductorNumber }: CustomerView["tax"]): string {
  if (rateBasisPoints === null) return "no tax";
  return [
    `${rateBasisPoints / 100}%`,
    ...(section === null ? [] : [`section ${section}`]),
    ...(deductorNumber === null ? [] : [`TAN ${deductorNumber}`]),
  ].join(", ");
}

export default function CustomerPage() {
  const { name, twins, facts, acts, people, tenants, subscriptions, orders, documents, entries } =
    useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>{name}</h1>
      {twins.map(({ href, name: other, gstin }) => (
        <Callout key={`${href} ${gstin}`} type="info">
          <a href={href}>{other}</a> has the same GSTIN, {gstin}. Check whether they're the same customer.
        </Callout>
      ))}
      <dl className="facts">
        {facts.map(([term, value]) => (
          <div key={`${term} ${value}`}>
            <dt>{term}</dt>
            <dd>
              <Breakable>{value}</Breakable>
            </dd>
          </div>
        ))}
      </dl>
      <ActionLinks acts={acts} />
      <Part title="People" none={people.length === 0 && "This company has no members."}>
        <ListTable
          label="People"
          columns={[
            { label: "Name", holds: "words" },
            { label: "Email", holds: "words" },
            "Role",
            "Last sign-in",
          ]}
          rows={people.map((person) => ({
            id: person.userId,
            cells: [
              person.name,
              <span key="email" className="stacked">
                <Word>{person.email}</Word>
                {!person.isProven && <small>not confirmed</small>}
                {person.isDisabled && <small>disabled</small>}
                {person.isLocked && <small>locked by us</small>}
              </span>,
              person.role,
              <Time key="last" at={person.lastSignIn} none="none recently" />,
            ],
          }))}
        />
      </Part>
      <Part title="Tenants" none={tenants.length === 0 && "This company has no tenants."}>
        <ListTable
          label="Tenants"
          columns={[
            { label: "Domain", holds: "words" },
            "Vendor",
            { label: "Id", holds: "words" },
            { label: "Proof", holds: "words" },
            "Since",
          ]}
          rows={tenants.map((tenant) => ({
            id: tenant.id,
            cells: [
              <Word key="domain">{tenant.domain}</Word>,
              tenant.vendor,
              <Breakable key="id">{tenant.externalId}</Breakable>,
              <span key="proof" className="stacked">
                {tenant.proof}
                {tenant.boundBy !== null && (
                  <small>
                    <Breakable>{`by ${tenant.boundBy}: ${tenant.evidence} (${tenant.reference})`}</Breakable>
                  </small>
                )}
                {tenant.until !== null && (
                  <small>
                    {tenant.isOver ? "expired on" : "until"} <Time at={tenant.until} none="" />
                  </small>
                )}
              </span>,
              <Time key="since" at={tenant.since} none="" />,
            ],
          }))}
        />
      </Part>
      <Part title="Subscriptions" none={subscriptions.length === 0 && "This company has no subscriptions."}>
        <ListTable
          label="Subscriptions, here and at the vendor"
          columns={[
            { label: "Plan", holds: "words" },
            "Licenses",
            "Term until",
            "State",
            { label: "Renewal", holds: "words" },
            "Vendor last read",
          ]}
          rows={subscriptions.map((subscription) => ({
            id: subscription.id,
            cells: [
              <span key="plan" className="stacked">
                {subscription.name}
                <small>
                  <Word>{subscription.domain}</Word>
                </small>
              </span>,
              <span key="seats" className="stacked">
                <Compared figure={subscription.seats} hasVendor={subscription.hasVendor} />
                {subscription.inUse !== null && <small>{subscription.inUse}</small>}
              </span>,
              <Compared key="until" figure={subscription.until} hasVendor={subscription.hasVendor} />,
              <Compared key="state" figure={subscription.state} hasVendor={subscription.hasVendor} />,
              <span key="renewal" className="stacked">
                {subscription.renewal?.words ?? "not chosen"}
                {subscription.renewal !== null && (
                  <small>
                    <Breakable>{subscription.renewal.by}</Breakable>
                  </small>
                )}
              </span>,
              <Time
                key="read"
                at={subscription.readAt}
                none={subscription.hasVendor ? "not yet" : "no vendor"}
              />,
            ],
          }))}
        />
      </Part>
      <Part title="Orders" none={orders.length === 0 && "This company has no orders."}>
        <ListTable
          label="Orders"
          columns={[
            "Number",
            { label: "What", holds: "words" },
            { label: "Total", holds: "amount" },
            "Started",
            { label: "State", holds: "words" },
          ]}
          rows={orders.map((order) => ({
            id: order.id,
            cells: [
              <a key="number" href={paths.deskOrder(order.id)}>
                {order.number}
              </a>,
              order.what,
              <Money key="total">{order.total}</Money>,
              <Time key="begun" at={order.begun} none="" />,
              <StateBadge key="state" tone={order.tone}>
                {order.state}
              </StateBadge>,
            ],
          }))}
        />
      </Part>
      <Part title="Documents" none={documents.length === 0 && "No documents yet."}>
        <ListTable
          label="Documents"
          columns={["Number", "Kind", { label: "Total", holds: "amount" }, "Issued", "Order", "Registration"]}
          rows={documents.map((document) => ({
            id: document.number,
            cells: [
              document.number,
              document.kind,
              <Money key="total">{document.total}</Money>,
              <Time key="issued" at={document.issued} none="" />,
              <a key="order" href={paths.deskOrder(document.orderId)}>
                {document.order}
              </a>,
              document.registration === null ? (
                "none"
              ) : (
                <StateBadge key="registration" tone={document.registration.tone}>
                  {document.registration.words}
                </StateBadge>
              ),
            ],
          }))}
        />
      </Part>
      <Part title="Notes and actions" none={entries.length === 0 && "No notes or actions yet."}>
        <ol className="moments">
          {entries.map(({ id, at, action, by, reason, details }) => (
            <li key={id}>
              <time dateTime={at.iso}>{at.text}</time>
              <span>
                {reason === "" ? action : <Breakable>{reason}</Breakable>}
                <small>
                  <Breakable>{`${reason === "" ? "" : `${action}, `}by ${by}${details === "" ? "" : `, ${details}`}`}</Breakable>
                </small>
              </span>
            </li>
          ))}
        </ol>
      </Part>
    </div>
  );
}

/** @param props.none why there is nothing to show; false where there is */
function Part({ title, none, children }: { title: string; none: string | false; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {none === false ? children : <p className="hint">{none}</p>}
    </section>
  );
}

function Time({ at, none }: { at: TimeView | null; none: string }) {
  return at === null ? none : <time dateTime={at.iso}>{at.text}</time>;
}

/** Ours, and below it the vendor's; a difference is said, and not by colour alone. */
function Compared({
  figure: { ours, theirs, differs },
  hasVendor,
}: {
  figure: ComparedValue;
  hasVendor: boolean;
}) {
  return (
    <span className="stacked">
      {ours}
      {hasVendor && (
        <small>
          {differs ? <mark>Mismatch: vendor has {theirs}</mark> : `vendor: ${theirs ?? "not read yet"}`}
        </small>
      )}
    </span>
  );
}
