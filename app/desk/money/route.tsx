/** `/desk/money`: what stands where: differences, refunds, payouts, vendors' bills, certificates, and the way to each list. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { monthDue } from "#server/desk/gstr1.ts";
import { moneyListIds, moneyLists } from "#server/desk/lists/registry.ts";
import { readMoney } from "#server/desk/money.ts";
import * as paths from "#server/paths.ts";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { deskLoader } from "../door.ts";
import { deskHandle } from "../handle.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Money");

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
        explains: "The return of a month, each document with what is wrong with it, and its files.",
        said: `That of ${monthDue(now)} is due.`,
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
        columns={["List", { label: "What stands there", holds: "words" }, "What it is"]}
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
