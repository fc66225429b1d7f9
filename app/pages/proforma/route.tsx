/** `/orders/{id}/proforma`: the amount to transfer for an order, the bank account, and the transfers that arrived. */
import { useLoaderData } from "@remix-run/react";
import { proformaView } from "#server/billing/documents/proforma-view.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { currentPath } from "../../journey/guard.ts";
import { orderIdParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { noindexMeta } from "../../ui/head.ts";
import { PrintableDocument } from "../../ui/printable-document.tsx";
import { useTranslate } from "../../ui/text.tsx";
import { AccountCard } from "./account-card.tsx";
import { accountView } from "./account-data.ts";
import { openProforma } from "./open-proforma.ts";

export const meta = noindexMeta<{ title: string }>((data) => data?.title ?? "");

export const handle: Handle = { pageStyles: true };

export const loader = pageLoader(orderIdParams, async (request, params) => {
  const state = await openProforma(request, params);
  const { order, proforma, said, mood, isOpen, isMisconfigured } = state;
  const { bank } = proforma;
  return {
    title: `${request.text("paying.proforma")} ${proforma.number}`,
    said: isMisconfigured
      ? request.text("paying.notWorking")
      : bank === null && isOpen
        ? request.text("paying.opening")
        : translate(request.language, said),
    mood: isMisconfigured ? ("error" as const) : mood,
    isOpen,
    account: bank === null || !isOpen ? null : accountView(request, state, bank, new Date()),
    view: bank === null ? null : proformaView(proforma, bank),
    pdf: paths.proformaPdf(order.id),
    order: currentPath(order),
    references: isOpen ? paths.orderReferences(order.id) : null,
  };
});

export default function Proforma() {
  const { title, said, mood, isOpen, account, view, pdf, order, references } = useLoaderData<typeof loader>();
  const text = useTranslate();
  return (
    <div className="page">
      <Callout type={mood}>
        <p>{said}</p>
      </Callout>
      {account !== null && <AccountCard {...account} />}
      <p className="actions off-paper">
        {view !== null && (
          <a className={account === null ? "button" : "button quiet"} href={pdf}>
            {text("invoice.download")}
          </a>
        )}{" "}
        <a href={order}>{text(isOpen ? "paying.backToReview" : "paying.continueOrder")}</a>{" "}
        {references !== null && <a href={references}>{text("references.edit")}</a>}
      </p>
      {view === null ? <h1>{title}</h1> : <PrintableDocument view={view} />}
    </div>
  );
}
