/** A company's latest orders and their documents. */
import * as paths from "#server/foundation/paths.ts";
import { ListTable } from "../../ui/list.tsx";
import { Money } from "../../ui/money.tsx";
import { StateBadge } from "../state-badge.tsx";
import { Part, Time } from "./part.tsx";
import type { CustomerPageView } from "./view.ts";

export function Orders({ orders }: Pick<CustomerPageView, "orders">) {
  return (
    <Part title="Orders" none={orders.length === 0 && "This company has no orders."}>
      <ListTable
        label="Orders"
        columns={[
          "Number",
          { label: "What", holds: "words" },
          { label: "Total", holds: "amount" },
          "Started",
          { label: "State", holds: "words" },
        ]}
        rows={orders.map((order) => ({
          id: order.id,
          cells: [
            <a key="number" href={paths.deskOrder(order.id)}>
              {order.number}
            </a>,
            order.what,
            <Money key="total">{order.total}</Money>,
            <Time key="begun" at={order.begun} none="" />,
            <StateBadge key="state" tone={order.tone}>
              {order.state}
            </StateBadge>,
          ],
        }))}
      />
    </Part>
  );
}

export function Documents({ documents }: Pick<CustomerPageView, "documents">) {
  return (
    <Part title="Documents" none={documents.length === 0 && "No documents yet."}>
      <ListTable
        label="Documents"
        columns={["Number", "Kind", { label: "Total", holds: "amount" }, "Issued", "Order", "Registration"]}
        rows={documents.map((document) => ({
          id: document.number,
          cells: [
            <a key="number" href={paths.deskDocument(document.number)}>
              {document.number}
            </a>,
            document.kind,
            <Money key="total">{document.total}</Money>,
            <Time key="issued" at={document.issued} none="" />,
            <a key="order" href={paths.deskOrder(document.orderId)}>
              {document.order}
            </a>,
            document.registration === null ? (
              "none"
            ) : (
              <StateBadge key="registration" tone={document.registration.tone}>
                {document.registration.words}
              </StateBadge>
            ),
          ],
        }))}
      />
    </Part>
  );
}
