/** `/desk/prices/items/{item}`: past, current and scheduled prices of an item, with their start dates and who set them. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { readPriceHistory } from "#server/desk/price-lists/lists.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ name: string }>((data) =>
  data === undefined ? "" : `Prices of ${data.name}`,
);

const params = z.object({ item: z.string().max(100) });
const whens = { before: "ended", now: "in force", later: "planned" } as const;

export const loader = deskLoader("priceHistory", params, async ({ context }, given) => {
  const { item, prices } = await readPriceHistory(context.db, given.item, new Date());
  return {
    name: item.name,
    texts: paths.deskItemTexts(item.id),
    prices: prices.map(({ when, list, ...price }) => ({
      ...price,
      when: whens[when],
      list: list === null ? null : paths.deskPriceList(list),
    })),
  };
});

export default function PriceHistory() {
  const { name, texts, prices } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Prices of {name}</h1>
      <p>
        <a href={texts}>Texts of this item</a>
      </p>
      {prices.length === 0 ? (
        <EmptyState message="This item has no prices." />
      ) : (
        <ListTable
          label={`Prices of ${name}`}
          columns={[
            "Price",
            "From",
            "State",
            { label: "Amount", holds: "amount" },
            { label: "List price", holds: "amount" },
            { label: "Set by", holds: "words" },
          ]}
          rows={prices.map((price, index) => ({
            id: String(index),
            cells: [
              price.price,
              price.from,
              price.when,
              <Money key="amount">{price.amount}</Money>,
              <Money key="list">{price.listPrice}</Money>,
              price.list === null ? (
                price.setBy
              ) : (
                <a key="setBy" href={price.list}>
                  <Breakable>{price.setBy}</Breakable>
                </a>
              ),
            ],
          }))}
        />
      )}
    </div>
  );
}
