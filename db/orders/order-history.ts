/** Everything stored about an order, as events in time. Contains no secrets: provider results and credentials are left out. */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export const orderEventKinds = [
  "order",
  "step",
  "call",
  "payment",
  "refund",
  "dispute",
  "document",
  "mail",
  "cancellation",
  "audit",
] as const;
export type OrderEventKind = (typeof orderEventKinds)[number];

export interface OrderHistoryEvent {
  at: Date;
  kind: OrderEventKind;
  /** Subject of the event: a step's name, a payment's id, a document's number or the name of a staff action. */
  name: string;
  /** New state of the subject. */
  state: string;
  /** Details as text, or a stored message; null when there are none. */
  detail: string | null;
  amountMinor: number | null;
  currency: string | null;
  /** Email of the person who did it; null for the store itself. */
  by: string | null;
}

/** Limit on calls to providers, newest kept: an order that waits for weeks is checked every few minutes. */
const maxCalls = 300;

/** Lists an order's events, oldest first. */
export async function listOrderEvents(db: Db, orderId: OrderId): Promise<OrderHistoryEvent[]> {
  const { rows } = await sql<OrderHistoryEvent>`
    with m (at, kind, name, state, detail, amount_minor, currency, by) as (
      select o.created_at, 'order', o.kind, 'begun', null, null::bigint, null, null from orders o where o.id = ${orderId}
      union all
      select o.paid_at, 'order', o.kind, 'paid', null, o.total_minor, o.currency, null
        from orders o where o.id = ${orderId} and o.paid_at is not null
      union all
      select o.fulfilled_at, 'order', o.kind, 'fulfilled', null, null, null, null
        from orders o where o.id = ${orderId} and o.fulfilled_at is not null
      union all
      select f.updated_at, 'order', 'fulfilment', f.status, f.last_error, null, null, null
        from fulfilments f where f.order_id = ${orderId} and f.last_error is not null
      union all
      select r.created_at, 'step', r.step, 'begun', 'request ' || r.request_id, null, null, null
        from provider_requests r where r.order_id = ${orderId}
      union all
      select r.finished_at, 'step', r.step, r.status, 'request ' || r.request_id, null, null, null
        from provider_requests r where r.order_id = ${orderId} and r.finished_at is not null
      union all
      (select c.at, 'call', concat_ws(' ', c.provider, c.method, c.path), coalesce(c.status::text, 'no answer'),
              concat_ws('; ', c.answer, 'waited ' || c.ms || ' ms', 'try ' || c.attempt, 'request ' || c.request_id),
              null, null, null
        from provider_calls c where c.order_id = ${orderId} order by c.id desc limit ${maxCalls})
      union all
      select p.created_at, 'payment', p.provider_payment_id, p.status, coalesce(p.problem, p.method), p.amount_minor,
             p.currency, null
        from payments p where p.order_id = ${orderId}
      union all
      select r.created_at, 'refund', r.provider_payment_id, 'requested', r.reason, r.amount_minor, r.currency, r.decided_by
        from refunds r where r.order_id = ${orderId}
      union all
      select r.updated_at, 'refund', r.provider_payment_id, r.status, r.problem, r.amount_minor, r.currency, null
        from refunds r where r.order_id = ${orderId} and r.status <> 'requested'
      union all
      select d.created_at, 'dispute', d.provider_payment_id, d.status, d.reason, d.amount_minor, d.currency, null
        from disputes d where d.order_id = ${orderId}
      union all
      select i.issued_at, 'document', i.number, 'issued', null, null, null, null
        from invoices i where i.order_id = ${orderId}
      union all
      select c.issued_at, 'document', c.number, 'issued', 'credit note', c.total_minor, c.currency, null
        from credit_notes c where c.order_id = ${orderId}
      union all
      select e.updated_at, 'document', e.number, 'registration: ' || e.state,
             nullif(concat_ws(': ', e.error_code, e.error_words), ''), null, null, null
        from e_invoices e where e.order_id = ${orderId}
      union all
      select m.created_at, 'mail', m.kind, 'requested', 'to ' || m.recipient, null, null, null
        from mails m where m.order_id = ${orderId}
      union all
      select m.sent_at, 'mail', m.kind, 'sent', null, null, null, null
        from mails m where m.order_id = ${orderId} and m.sent_at is not null
      union all
      select m.refused_at, 'mail', m.kind,
             case when m.withheld then 'not sent' when m.sent_at is null then 'refused' else 'came back' end,
             m.last_error, null, null, null
        from mails m where m.order_id = ${orderId} and m.refused_at is not null
      union all
      select c.created_at, 'cancellation', c.kind, 'requested', null, null, null, null
        from cancellations c where c.order_id = ${orderId}
      union all
      select coalesce(c.finished_at, c.vendor_done_at), 'cancellation', c.kind, c.state, c.last_error, null, null, null
        from cancellations c
        where c.order_id = ${orderId} and coalesce(c.finished_at, c.vendor_done_at) is not null
      union all
      select a.at, 'audit', a.action, 'done', a.data ->> 'reason', null, null,
             coalesce(s.email, a.data ->> 'by', u.email)
        from audit_log a
        left join staff s on s.id = a.staff_id
        left join users u on u.id = a.user_id
        where a.subject = 'order:' || ${orderId}::text
    )
    select at, kind, name, state, detail, amount_minor as "amountMinor", currency, by from m order by at, kind`.execute(
    db,
  );
  return rows;
}
