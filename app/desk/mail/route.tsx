/** `/desk/mail`: the queued mails with their outcomes, and the suppressed addresses. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayPerform } from "#server/desk/actions/registry.ts";
import { mailKindLabels, mailStateLabels, mailStateTones, parseLabelKey } from "#server/desk/labels.ts";
import { isResent, readMailLog, readSuppressions, sortableMailColumns } from "#server/desk/mail-log.ts";
import { parseListOrder } from "#server/foundation/list-paging.ts";
import { operatorRecipient } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { columnSort } from "../column-sort.ts";
import { Filters, toOptions } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { searchParam } from "../search-param.ts";
import { StateBadge } from "../state-badge.tsx";
import { timeView } from "../view.ts";
import { Word } from "../word.tsx";

export const handle = deskHandle;
export const meta = noindexMeta("Email");

export const loader = deskLoader("mail", z.unknown(), async ({ context, url, desk }) => {
  const filter = {
    recipient: searchParam(url, "recipient"),
    order: searchParam(url, "order"),
    kind: parseLabelKey(mailKindLabels, searchParam(url, "kind")),
    state: parseLabelKey(mailStateLabels, searchParam(url, "state")),
  };
  const page = searchParam(url, "page");
  const suppressed = searchParam(url, "suppressed");
  const sort = searchParam(url, "sort");
  const order = parseListOrder(sortableMailColumns, sort);
  const sorted = { ...filter, sort };
  const [mails, suppressions] = await Promise.all([
    readMailLog(context.db, { ...filter, page, sortedBy: order }),
    readSuppressions(context.db, { recipient: filter.recipient, page: suppressed }),
  ]);
  const { role } = desk.staff;
  const maySend = mayPerform(role, "mail.resend");
  const mayLift = mayPerform(role, "mail-suppression.lift");
  return {
    filter,
    kinds: toOptions(mailKindLabels),
    states: toOptions(mailStateLabels),
    mails: mails.rows.map(({ refusedAt, sentAt, ...mail }) => ({
      id: mail.id,
      requestedAt: timeView(mail.createdAt),
      recipient: mail.recipient === operatorRecipient ? null : mail.recipient,
      what: mailKindLabels[mail.kind],
      state: mailStateLabels[mail.state],
      tone: mailStateTones[mail.state],
      since: timeOrNull(refusedAt ?? sentAt),
      error: mail.lastError,
      order: mail.order === null ? null : { number: mail.order.number, path: paths.deskOrder(mail.order.id) },
      resend:
        maySend && mail.state !== "waiting" && isResent(mail.kind)
          ? paths.deskActionForm("mail.resend", mail.id)
          : null,
    })),
    requested: columnSort("requested", order, (text) => paths.deskMail({ ...filter, sort: text })),
    first: page === undefined ? null : paths.deskMail(sorted),
    next: mails.nextPage === null ? null : paths.deskMail({ ...sorted, page: mails.nextPage }),
    suppressions: suppressions.rows.map(({ email, reason, since, mailId }) => ({
      email,
      reason,
      since: timeView(since),
      lift: mayLift ? paths.deskActionForm("mail-suppression.lift", mailId) : null,
    })),
    firstSuppressed: suppressed === undefined ? null : paths.deskMail(sorted),
    nextSuppressed:
      suppressions.nextPage === null
        ? null
        : paths.deskMail({ ...sorted, suppressed: suppressions.nextPage }),
  };
});

const timeOrNull = (at: Date | null) => (at === null ? null : timeView(at));

export default function Mail() {
  const data = useLoaderData<typeof loader>();
  const { filter, mails, suppressions } = data;
  return (
    <div className="page">
      <h1>Email</h1>
      <Filters
        fields={[
          { name: "recipient", label: "Address", value: filter.recipient },
          { name: "order", label: "Order number", value: filter.order },
          { name: "kind", label: "What", value: filter.kind, options: data.kinds },
          { name: "state", label: "State", value: filter.state, options: data.states },
        ]}
      />
      {mails.length === 0 ? (
        <EmptyState message="No matching emails." />
      ) : (
        <ListTable
          label="Emails"
          columns={[
            { label: "What", holds: "words" },
            { label: "To", holds: "words" },
            "Order",
            { label: "Requested", sort: data.requested },
            { label: "State", holds: "words" },
            { label: "Actions", holds: "acts" },
          ]}
          rows={mails.map((mail) => ({
            id: mail.id,
            cells: [
              mail.what,
              mail.recipient === null ? "the operator" : <Word key="to">{mail.recipient}</Word>,
              mail.order === null ? (
                ""
              ) : (
                <a key="order" href={mail.order.path}>
                  {mail.order.number}
                </a>
              ),
              <time key="asked" dateTime={mail.requestedAt.iso}>
                {mail.requestedAt.text}
              </time>,
              <span key="state" className="stacked">
                <StateBadge tone={mail.tone}>{mail.state}</StateBadge>
                {mail.since !== null && (
                  <small>
                    <time dateTime={mail.since.iso}>{mail.since.text}</time>
                  </small>
                )}
                {mail.error !== null && (
                  <small>
                    <Breakable>{mail.error}</Breakable>
                  </small>
                )}
              </span>,
              mail.resend !== null && (
                <a key="resend" href={mail.resend}>
                  Resend
                  <span className="visually-hidden">
                    {" "}
                    {mail.what} to {mail.recipient}
                  </span>
                </a>
              ),
            ],
          }))}
        />
      )}
      <ListPaging first={data.first} next={data.next} />
      <section aria-labelledby="suppressed">
        <h2 id="suppressed">Suppressed addresses</h2>
        {suppressions.length === 0 ? (
          <p>{filter.recipient === undefined ? "There are none." : "This address isn't suppressed."}</p>
        ) : (
          <>
            <p>These addresses permanently rejected an email. Sending more could get us marked as spam.</p>
            <ListTable
              label="Suppressed addresses"
              columns={[
                { label: "Address", holds: "words" },
                "Since",
                { label: "Why", holds: "words" },
                { label: "Actions", holds: "acts" },
              ]}
              rows={suppressions.map(({ email, reason, since, lift }) => ({
                id: email,
                cells: [
                  <Word key="email">{email}</Word>,
                  <time key="since" dateTime={since.iso}>
                    {since.text}
                  </time>,
                  <Breakable key="reason">{reason}</Breakable>,
                  lift !== null && (
                    <a key="lift" href={lift}>
                      Lift<span className="visually-hidden"> the suppression of {email}</span>
                    </a>
                  ),
                ],
              }))}
            />
          </>
        )}
        <ListPaging first={data.firstSuppressed} next={data.nextSuppressed} />
      </section>
    </div>
  );
}
