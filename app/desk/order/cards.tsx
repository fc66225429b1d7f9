/** Cards to the right of an order: its state, money, customer and documents, each with its staff actions. */
import type { ReactNode } from "react";
import type { StateTone } from "#server/desk/labels.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Money } from "../../ui/money.tsx";
import { ActionLinks } from "../action-links.tsx";
import { StateBadge } from "../state-badge.tsx";
import type { TimeView } from "../view.ts";

export interface ActLink {
  label: string;
  href: string;
}

interface CardProps {
  title: string;
  acts: readonly ActLink[];
  children: ReactNode;
}

function Card({ title, acts, children }: CardProps) {
  const id = title.toLowerCase();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <ActionLinks acts={acts} label={`${title}: actions`} />
    </section>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Breakable>{value}</Breakable>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function StateCard(props: {
  state: { words: string; tone: StateTone };
  facts: readonly (readonly [string, string])[];
  acts: readonly ActLink[];
}) {
  const { state, facts, acts } = props;
  return (
    <Card title="State" acts={acts}>
      <p>
        <StateBadge tone={state.tone}>{state.words}</StateBadge>
      </p>
      <Facts facts={facts} />
    </Card>
  );
}

export interface MoneyCardProps {
  total: string;
  payments: readonly { id: string; words: string; at: TimeView; amount: string }[];
  sums: { returned: string; left: string } | null;
  acts: readonly ActLink[];
}

export function MoneyCard({ total, payments, sums, acts }: MoneyCardProps) {
  const lines = [
    { id: "total", name: "Order total", amount: total },
    ...payments.map(({ id, words, at, amount }) => ({ id, name: `${words}, ${at.text}`, amount })),
    ...(sums === null
      ? []
      : [
          { id: "refunded", name: "Refunded", amount: sums.returned },
          { id: "left", name: "Left", amount: sums.left },
        ]),
  ];
  return (
    <Card title="Money" acts={acts}>
      <dl className="lines">
        {lines.map(({ id, name, amount }) => (
          <div key={id} className={id === "left" ? "strong" : undefined}>
            <dt>{name}</dt>
            <dd>
              <Money>{amount}</Money>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export function CustomerCard(props: {
  company: { name: string; href: string | null };
  facts: readonly (readonly [string, string])[];
  acts: readonly ActLink[];
}) {
  const { company, facts, acts } = props;
  return (
    <Card title="Customer" acts={acts}>
      <p>
        {company.href === null ? (
          <Breakable>{company.name}</Breakable>
        ) : (
          <a href={company.href}>
            <Breakable>{company.name}</Breakable>
          </a>
        )}
      </p>
      <Facts facts={facts} />
    </Card>
  );
}

export interface DocumentsCardProps {
  documents: readonly { number: string; kind: string; state: string; portal: string | null }[];
  acts: readonly ActLink[];
}

export function DocumentsCard({ documents, acts }: DocumentsCardProps) {
  if (documents.length === 0 && acts.length === 0) return null;
  return (
    <Card title="Documents" acts={acts}>
      <ul className="plain-list">
        {documents.map((document) => (
          <li key={document.number}>
            <a href={paths.deskDocument(document.number)}>{document.number}</a>, {document.kind}:{" "}
            {document.state}
            {document.portal !== null && <small className="hint"> {document.portal}</small>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
