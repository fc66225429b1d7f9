/** `/renewals`: renewals of the next twelve months, by month, and their calendar feed. */
import { getFormProps, useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { endFeed, feedOf, makeFeed } from "#server/orders/renewal-feed.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { renewalsOfYear } from "#server/orders/upcoming-renewals.ts";
import { renewalFeedSchema } from "../../forms/company-schemas.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { formAction, pageLoader } from "../../http/page.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { redirectWith, requireSession } from "../../http/request-context.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { DateText } from "../../ui/date-text.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { Licences, ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { monthsOfRenewals } from "./view-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(z.unknown(), async (request) => {
  const session = requireSession(request);
  const { customer } = session;
  const { text, language } = request;
  const { db, env } = request.context;
  const title = text("renewals.title");
  if (customer === null) return { title, months: [], feed: null };
  const { country, role } = customer;
  const now = new Date();
  const ahead = await renewalsOfYear(db, env.sellers, customer, now);
  const feed = role === "owner" ? await feedOf(db, customer.id) : null;
  return {
    title,
    months: monthsOfRenewals(request, ahead, { country, mayBuy: mayOrder(session), now }),
    feed:
      role === "owner"
        ? { since: feed === null ? null : formatDate(feed.createdAt, country, language) }
        : null,
  };
});

export const action = formAction({
  params: z.unknown(),
  limit: rateLimits.renewalChoice,
  schema: renewalFeedSchema,
  handler: async (request, _params, value) => {
    const { userId, customer } = requireSession(request);
    if (customer === null) throw notFound("company");
    const { db, env } = request.context;
    const input = { customerId: customer.id, by: userId };
    if (value.intent === "end") {
      await db.transaction().execute((trx) => endFeed(trx, input));
      return redirectWith(request, paths.renewals(), {
        type: "success",
        message: request.text("renewals.feedEnded"),
      });
    }
    const withAmounts = value.amounts === "on";
    const { language } = request;
    const token = await db
      .transaction()
      .execute((trx) => makeFeed(trx, { ...input, withAmounts, language, now: new Date() }));
    return { output: `${env.PUBLIC_URL}${paths.renewalFeed(token)}` };
  },
});

export default function Renewals() {
  const { title, months, feed } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const text = useTranslate();
  const made = answer?.output ?? null;
  return (
    <div className="page">
      <h1>{title}</h1>
      <p className="lead">{text("renewals.lead")}</p>
      {made !== null && (
        <Callout type="success" live>
          <p>{text("renewals.feedMade")}</p>
          <dl>
            <Copyable label={text("renewals.feedAddress")} value={made} />
          </dl>
        </Callout>
      )}
      {months.length === 0 && (
        <EmptyState message={text("renewals.none")} drawing="subscriptions">
          <p className="hint">{text("subscriptions.noneYet")}</p>
        </EmptyState>
      )}
      {months.length > 0 && (
        <ListTable
          label={title}
          columns={[
            { label: text("subscriptions.serviceDetails"), holds: "words" },
            text("subscriptions.end"),
            { label: text("subscriptions.purchased"), holds: "amount" },
            { label: text("renewals.cost"), holds: "amount" },
            { label: text("renewals.choice"), holds: "words" },
          ]}
          rows={months.flatMap(({ title: month, totals, rows }) =>
            rows.map((row, index) => ({
              id: row.id,
              ...(index === 0 && { group: <Month title={month} totals={totals} /> }),
              cells: [
                <span key="name">
                  {row.name}
                  <span className="hint">
                    <Breakable>{row.domain}</Breakable>
                  </span>
                </span>,
                <DateText key="end" {...row.end} />,
                <Licences key="licences" {...row} />,
                row.cost === null ? "–" : <Money key="cost">{row.cost}</Money>,
                <span key="choice">
                  {row.choice}{" "}
                  {row.choose !== null && (
                    <a href={row.choose} aria-label={text("renewals.chooseOf", { what: row.what })}>
                      {text("renewals.choose")}
                    </a>
                  )}
                </span>,
              ],
            })),
          )}
        />
      )}
      {feed !== null && <Feed since={feed.since} result={answer?.result ?? null} />}
      <p>
        <a href={paths.subscriptions()}>{text("subscriptions.title")}</a>
      </p>
    </div>
  );
}

/** Heading of a month's renewals, with their total in each currency. */
function Month({ title, totals }: { title: string; totals: readonly string[] }) {
  const text = useTranslate();
  return (
    <span className="group-line">
      {title}
      {totals.map((total) => (
        <span key={total}>
          {text("renewals.together")} <Money>{total}</Money>
        </span>
      ))}
    </span>
  );
}

function Feed(props: {
  since: string | null;
  result: NonNullable<ReturnType<typeof useActionData<typeof action>>>["result"] | null;
}) {
  const { since, result } = props;
  const text = useTranslate();
  const [form] = useForm({ id: "feed", lastResult: result });
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">{text("renewals.feed")}</h2>
      <p>{text("renewals.feedWhat")}</p>
      {since !== null && <p className="hint">{text("renewals.feedSince", { date: since })}</p>}
      <form method="post" {...getFormProps(form)} noValidate>
        <ErrorSummary form={form} fields={[]} />
        <label className="choice">
          <input type="checkbox" name="amounts" />
          <span>{text("renewals.feedAmounts")}</span>
        </label>
        <p className="actions">
          <SubmitButton name="intent" value="make" variant="quiet">
            {since === null ? text("renewals.feedMake") : text("renewals.feedAnew")}
          </SubmitButton>
          {since !== null && (
            <SubmitButton name="intent" value="end" variant="quiet">
              {text("renewals.feedEnd")}
            </SubmitButton>
          )}
        </p>
      </form>
    </section>
  );
}
