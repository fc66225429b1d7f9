/** `/desk/mail`: the mails that were asked for and what came of each, and the addresses that nothing is sent to. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayAct } from "#server/desk/acts/registry.ts";
import { isResent, readMailLog, readSuppressions } from "#server/desk/mail-log.ts";
import { mailKindWords, mailStateWords, wordOf } from "#server/desk/words.ts";
import { operator } from "#server/outbox/mail.ts";
import * as paths from "#server/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Empty } from "../../ui/empty.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { givenIn } from "../address-text.ts";
import { deskLoader } from "../door.ts";
import { choicesOf, Filters } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { More } from "../more.tsx";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Mail");

export const loader = deskLoader("mail", z.unknown(), async ({ context, url, desk }) => {
  const filter = {
    recipient: givenIn(url, "recipient"),
    order: givenIn(url, "order"),
    kind: wordOf(mailKindWords, givenIn(url, "kind")),
    state: wordOf(mailStateWords, givenIn(url, "state")),
  };
  const page = givenIn(url, "page");
  const suppressed = givenIn(url, "suppressed");
  const [mails, suppressions] = await Promise.all([
    readMailLog(context.db, { ...filter, page }),
    readSuppressions(context.db, { recipient: filter.recipient, page: suppressed }),
  ]);
  const { role } = desk.staff;
  const maySend = mayAct(role, "mail.resend");
  const mayLift = mayAct(role, "mail-suppression.lift");
  return {
    filter,
    kinds: choicesOf(mailKindWords),
    states: choicesOf(mailStateWords),
    mails: mails.rows.map(({ refusedAt, sentAt, ...mail }) => ({
      id: mail.id,
      asked: timeView(mail.createdAt),
      recipient: mail.recipient === operator ? null : mail.recipient,
      what: mailKindWords[mail.kind],
      state: mailStateWords[mail.state],
      since: timeOrNull(refusedAt ?? sentAt),
      error: mail.lastError,
      order: mail.order === null ? null : { number: mail.order.number, path: paths.deskOrder(mail.order.id) },
      resend:
        maySend && mail.state !== "waiting" && isResent(mail.kind)
          ? paths.deskAct("mail.resend", mail.id)
          : null,
    })),
    first: page === undefined ? null : paths.deskMail(filter),
    next: mails.nextPage === null ? null : paths.deskMail({ ...filter, page: mails.nextPage }),
    suppressions: suppressions.rows.map(({ email, reason, since, mailId }) => ({
      email,
      reason,
      since: timeView(since),
      lift: mayLift ? paths.deskAct("mail-suppression.lift", mailId) : null,
    })),
    firstSuppressed: suppressed === undefined ? null : paths.deskMail(filter),
    nextSuppressed:
      suppressions.nextPage === null
        ? null
        : paths.deskMail({ ...filter, suppressed: suppressions.nextPage }),
  };
});

const timeOrNull = (at: Date | null) => (at === null ? null : timeView(at));

export default function Mail() {
  const data = useLoaderData<typeof loader>();
  const { filter, mails, suppressions } = data;
  return (
    <div className="page">
      <h1>Mail</h1>
      <Filters
        fields={[
          { name: "recipient", label: "Address", value: filter.recipient },
          { name: "order", label: "Order number", value: filter.order },
          { name: "kind", label: "What", value: filter.kind, options: data.kinds },
          { name: "state", label: "State", value: filter.state, options: data.states },
        ]}
      />
      {mails.length === 0 ? (
        <Empty message="No such mail was asked for." />
      ) : (
        <ListTable
          label="Mails"
          columns={[
            "What",
            { label: "To", holds: "words" },
            "Order",
            "Asked for",
            { label: "State", holds: "words" },
            { label: "Acts", holds: "acts" },
          ]}
          rows={mails.map((mail) => ({
            id: mail.id,
            cells: [
              mail.what,
              mail.recipient === null ? "the operator" : <Breakable key="to">{mail.recipient}</Breakable>,
              mail.order === null ? (
                ""
              ) : (
                <a key="order" href={mail.order.path}>
                  {mail.order.number}
                </a>
              ),
              <time key="asked" dateTime={mail.asked.iso}>
                {mail.asked.text}
              </time>,
              <span key="state" className="stacked">
                {mail.state}
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
      <More first={data.first} next={data.next} />
      <section aria-labelledby="suppressed">
        <h2 id="suppressed">Addresses that nothing is sent to</h2>
        {suppressions.length === 0 ? (
          <p>{filter.recipient === undefined ? "There are none." : "This address is not among them."}</p>
        ) : (
          <>
            <p>Their servers have refused a mail for good. Who goes on is taken for a spammer.</p>
            <ListTable
              label="Addresses that nothing is sent to"
              columns={[
                "Address",
                "Since",
                { label: "Why", holds: "words" },
                { label: "Acts", holds: "acts" },
              ]}
              rows={suppressions.map(({ email, reason, since, lift }) => ({
                id: email,
                cells: [
                  <Breakable key="email">{email}</Breakable>,
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
        <More first={data.firstSuppressed} next={data.nextSuppressed} />
      </section>
    </div>
  );
}
