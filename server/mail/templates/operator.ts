/** The mails to the operator, in English and without ornament: they are read by those who run the store. */
import type { Order } from "#db/order.ts";
import { orderStateWords } from "#server/desk/words.ts";
import { orderNumber } from "#server/orders/number.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import type { Letter, Row } from "../layout.ts";

const factsOf = (order: Order): Row[] => [
  { label: "Order", value: orderNumber(order) },
  { label: "Plan", value: `${order.line.name}, ${licences(order.line.quantity)}` },
  { label: "Total", value: formatMoney(order.total) },
  { label: "Where it stands", value: orderStateWords(order) },
  { label: "Company", value: order.account?.companyName ?? "not known yet" },
  { label: "Email", value: order.account?.email ?? "not known yet" },
];

export const operatorTemplates = {
  operatorAlert: ({
    order,
    what,
    toDo = [],
    link,
  }: {
    order: Order | null;
    what: string;
    toDo?: readonly string[] | undefined;
    link: string;
  }): Letter => ({
    subject: order === null ? "The store needs attention" : `An order needs attention: ${orderNumber(order)}`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [what, ...toDo],
    ...(order !== null && { facts: factsOf(order) }),
    button: { label: order === null ? "Open the desk" : "Open the order at the desk", link },
  }),

  orderNotice: ({
    order,
    subject,
    what,
    link,
  }: {
    order: Order;
    subject: string;
    what: string;
    link: string;
  }): Letter => ({
    subject: `${subject}: ${orderNumber(order)}`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [what],
    facts: factsOf(order),
    button: { label: "Open the order at the desk", link },
  }),

  vendorNotice: ({
    subject,
    paragraphs,
    link,
  }: {
    subject: string;
    paragraphs: readonly string[];
    link: string;
  }): Letter => ({
    subject,
    preheader: (paragraphs[0] ?? "").slice(0, 120),
    isToOperator: true,
    paragraphs,
    button: { label: "Open the desk", link },
  }),
} as const;
