/** Mails to the operator, in plain English. */
import type { Order } from "#db/orders/order.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { licences } from "#server/catalogue/pricing/quantity.ts";
import { orderStateText } from "#server/desk/labels.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { ContentRow, MailContent } from "../layout.ts";

const factsOf = (order: Order): ContentRow[] => [
  { label: "Order", value: orderNumber(order) },
  { label: "Plan", value: `${order.line.name}, ${licences(order.line.quantity)}` },
  { label: "Total", value: formatMoney(order.total) },
  { label: "Status", value: orderStateText(order) },
  { label: "Company", value: order.account?.companyName ?? "not entered yet" },
  { label: "Email", value: order.account?.email ?? "not entered yet" },
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
  }): MailContent => ({
    subject: order === null ? "Action needed in the store" : `Order ${orderNumber(order)} needs attention`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [what, ...toDo],
    ...(order !== null && { facts: factsOf(order) }),
    button: { label: order === null ? "Open Desk" : "Open order in Desk", link },
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
  }): MailContent => ({
    subject: `${subject}: ${orderNumber(order)}`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [what],
    facts: factsOf(order),
    button: { label: "Open order in Desk", link },
  }),

  vendorNotice: ({
    subject,
    paragraphs,
    link,
  }: {
    subject: string;
    paragraphs: readonly string[];
    link: string;
  }): MailContent => ({
    subject,
    preheader: (paragraphs[0] ?? "").slice(0, 120),
    isToOperator: true,
    paragraphs,
    button: { label: "Open Desk", link },
  }),
} as const;
