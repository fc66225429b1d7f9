/** `/documents/licences`: the licences of a year, by subscription and by product, with the amounts of each. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { licencesByItem, readLicenceYears, totalPaid } from "#server/billing/books/licences.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { openBooks } from "../../http/books.ts";
import { pageLoader } from "../../http/page.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { BooksFrame } from "../books/frame.tsx";
import { frameOf } from "../books/frame-data.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

/** Maximum number of rows on the page: the file has all of them. */
const most = 200;

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, text } = request;
  const books = await openBooks(request);
  const years = await readLicenceYears(context.db, books.owner, books.span);
  return {
    title: text("books.licences"),
    frame: frameOf(books, "licences", text),
    csv: paths.licencesFile(books.query),
    inAll: totalPaid(years).map((amount) => text("books.inAll", { amount: formatExact(amount) })),
    items: licencesByItem(years).map(({ itemId, itemName, after, paid }) => ({
      id: `${itemId} ${itemName} ${paid.currency}`,
      name: itemName,
      after,
      paid: formatExact(paid),
    })),
    rows: years.slice(0, most).map(({ domain, paid, ...year }) => ({
      ...year,
      domain: domain ?? text("books.notSetUp"),
      paid: formatExact(paid),
    })),
  };
});

export default function Licences() {
  const { title, frame, csv, inAll, items, rows } = useLoaderData<typeof loader>();
  const text = useTranslate();
  if (rows.length === 0)
    return (
      <BooksFrame title={title} {...frame}>
        <EmptyState message={text("books.noLicences")} drawing="subscriptions" />
      </BooksFrame>
    );
  return (
    <BooksFrame title={title} {...frame}>
      <h2>{text("books.byItem")}</h2>
      <ListTable
        label={text("books.byItem")}
        columns={[text("books.item"), text("books.after"), text("books.money")]}
        rows={items.map(({ id, name, after, paid }) => ({
          id,
          cells: [name, after, <Money key="paid">{paid}</Money>],
        }))}
      />
      {inAll.map((sentence) => (
        <p key={sentence}>
          <strong>{sentence}</strong>
        </p>
      ))}
      <h2>{text("books.bySubscription")}</h2>
      <ListTable
        label={text("books.bySubscription")}
        columns={[
          text("books.subscription"),
          text("books.before"),
          text("books.bought"),
          text("books.renewed"),
          text("books.givenBack"),
          text("books.after"),
          text("books.money"),
        ]}
        rows={rows.map(({ id, itemName, domain, before, bought, renewed, givenBack, after, paid }) => ({
          id,
          cells: [
            <div key="name">
              {itemName}
              <span className="hint">{domain}</span>
            </div>,
            before,
            bought,
            renewed,
            givenBack,
            after,
            <Money key="paid">{paid}</Money>,
          ],
        }))}
      />
      <p className="hint">{text("books.licencesNote")}</p>
      <p className="actions">
        <a href={csv}>{text("books.asCsv")}</a>
      </p>
    </BooksFrame>
  );
}
