/** `/desk/money/{list}`: a money list, such as refunds, payouts or differences. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { isMoneyListId, moneyLists } from "#server/desk/lists/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { noindexMeta } from "../../ui/head.ts";
import { deskHandle } from "../handle.ts";
import { ListPage } from "../list-page.tsx";
import { listView } from "../list-view.ts";
import { deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta<{ list: { title: string } }>((data) => data?.list.title ?? "");

const params = z.object({ list: z.string().max(40) });

export const loader = deskLoader("moneyList", params, async (request, { list: id }) => {
  if (!isMoneyListId(id)) throw notFound();
  const list = await listView(moneyLists[id], request, {
    page: (options) => paths.deskMoneyList(id, options),
    file: (options) => paths.deskMoneyCsv(id, options),
  });
  return { list, money: paths.deskMoney() };
});

export default function MoneyList() {
  const { list, money } = useLoaderData<typeof loader>();
  return (
    <ListPage list={list}>
      <a href={money}>All of money</a>
    </ListPage>
  );
}
