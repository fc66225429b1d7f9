/** `/desk/money`: overview of differences, refunds, payouts, vendors' bills and certificates, with a link to each list. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { dueReturnMonth } from "#server/desk/gstr1.ts";
import { moneyListIds, moneyLists } from "#server/desk/lists/registry.ts";
import { readMoney } from "#server/desk/money.ts";
import * as paths from "#server/foundation/paths.ts";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Money");

export const loader = deskLoader("money", z.unknown(), async ({ context }) => {
  const now = new Date();
  const said = await readMoney(context.db, now);
  return {
    lists: [
      ...moneyListIds.flatMap((id) => {
        const sentence = said[id];
        const { title, explains } = moneyLists[id];
        return sentence === null ? [] : [{ path: paths.deskMoneyList(id), title, explains, said: sentence }];
      }),
      {
        path: paths.deskGstr1(),
        title: "GSTR-1",
        explains: "The monthly return: its files, its documents and any problems with them.",
        said: `That of ${dueReturnMonth(now)} is due.`,
      },
    ],
  };
});

export default function MoneyPage() {
  const { lists } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Money</h1>
      <ListTable
        label="Money"
        columns={["List", { label: "Status", holds: "words" }, { label: "About", holds: "words" }]}
        rows={lists.map(({ path, title, explains, said }) => ({
          id: path,
          cells: [
            <a key="list" href={path}>
              {title}
            </a>,
            said,
            explains,
          ],
        }))}
      />
    </div>
  );
}
