/**
 * `/desk`: the work queue, longest waiting first, then statistics. Staff claim an item so that nobody else does the same work.
 */
import { useForm } from "@conform-to/react";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { editorRoles, hasRole } from "#server/desk/roles.ts";
import { claimForStaff, isWorkItemKind, readWorkQueue, releaseForStaff } from "#server/desk/work-queue.ts";
import { DomainError } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { redirectWith } from "../../http/request-context.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { Money } from "../../ui/money.tsx";
import { CsvLink } from "../csv-link.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskAction, deskLoader } from "../route-builders.ts";
import { searchParam } from "../search-param.ts";
import { ageText, timeView } from "../view.ts";
import { Claim, RawText } from "../work-item.tsx";
import { StoreStatsPanel } from "./stats.tsx";
import { readStoreStatsView } from "./stats-view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Needs attention");

export const loader = deskLoader("queue", z.unknown(), async ({ context, url, desk }) => {
  const after = url.searchParams.get("after");
  const requested = url.searchParams.get("kind") ?? "";
  const kind = isWorkItemKind(requested) ? requested : null;
  const [{ items, counts, next }, figures] = await Promise.all([
    readWorkQueue(context.db, desk, { after, kind }),
    readStoreStatsView(context, url),
  ]);
  // Filtering and paging the queue keep the period of the statistics.
  const chosen = { unit: searchParam(url, "unit"), on: searchParam(url, "on") };
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    kind,
    figures,
    kinds: [
      { label: "All", count: all, href: paths.desk(chosen), isCurrent: kind === null },
      ...counts
        .filter((each) => each.count > 0 || each.kind === kind)
        .map((each) => ({
          label: each.label,
          count: each.count,
          href: paths.desk({ ...chosen, kind: each.kind }),
          isCurrent: each.kind === kind,
        })),
    ],
    mayTake: hasRole(desk.staff.role, editorRoles),
    isAdmin: desk.staff.role === "admin",
    items: items.map(({ since, due, what: _what, ...item }) => ({
      ...item,
      name: `${item.label} ${item.order?.number ?? item.key}`,
      age: ageText(since),
      since: timeView(since),
      due: due === null ? null : timeView(due),
    })),
    first: after === null ? null : paths.desk({ ...chosen, ...(kind !== null && { kind }) }),
    next: next === null ? null : paths.desk({ ...chosen, after: next, ...(kind !== null && { kind }) }),
    file: paths.deskWorkQueueCsv(kind === null ? {} : { kind }),
  };
});

const schema = z.object({
  intent: z.enum(["take", "release"]),
  kind: z.string().max(40),
  key: z.string().max(300),
});

export const action = deskAction("queue", {
  params: z.unknown(),
  schema,
  handler: async (request, _params, { intent, kind, key }) => {
    const { context, desk } = request;
    if (!hasRole(desk.staff.role, editorRoles))
      throw new DomainError("forbidden", `Your role, ${desk.staff.role}, can't take on items.`);
    if (!isWorkItemKind(kind)) throw new DomainError("bad_request", "Unknown item type.");
    if (intent === "release") {
      await releaseForStaff(context.db, desk, { kind, key });
      return redirectWith(request, paths.desk(), { type: "success", message: "Unassigned." });
    }
    const order = await claimForStaff(context.db, desk, { kind, key });
    const next = order === null ? paths.desk() : paths.deskOrder(order);
    return redirectWith(request, next, { type: "success", message: "Assigned to you." });
  },
});

export default function WorkQueue() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form] = useForm({ id: "queue", lastResult: reply?.result ?? null });
  const { items, mayTake, isAdmin, file, next, first } = data;
  return (
    <div className="page">
      <h1>Needs attention</h1>
      <p className="hint">The longest waiting first.</p>
      <ErrorSummary form={form} fields={[]} />
      {(items.length > 0 || data.kind !== null) && (
        <nav aria-label="Item types" className="list-tools">
          <ul className="tabs">
            {data.kinds.map(({ label, count, href, isCurrent }) => (
              <li key={label}>
                <a href={href} aria-current={isCurrent ? "true" : undefined}>
                  {label} <span className="count">{count}</span>
                </a>
              </li>
            ))}
          </ul>
          <CsvLink href={file} />
        </nav>
      )}
      {items.length === 0 ? (
        <EmptyState message="Nothing needs attention." />
      ) : (
        <ul className="queue" aria-label="Needs attention">
          {items.map((item) => (
            <li key={item.name}>
              <div className="why">
                <h2>{item.reason.sentence}</h2>
                <p>{item.toDo}</p>
                <p>
                  {item.order !== null && <a href={item.order.path}>{item.order.number}</a>}
                  {item.order !== null && item.company !== null && ", "}
                  {item.company}
                </p>
                <RawText reason={item.reason} />
              </div>
              <p className="sum">{item.amount !== null && <Money>{item.amount}</Money>}</p>
              <p className="age">
                <time dateTime={item.since.iso} title={item.since.text}>
                  {item.age}
                </time>
                {item.due !== null && (
                  <small>
                    due <time dateTime={item.due.iso}>{item.due.text}</time>
                  </small>
                )}
              </p>
              <Claim item={item} mayTake={mayTake} isAdmin={isAdmin} action={paths.desk()} />
            </li>
          ))}
        </ul>
      )}
      <ListPaging first={first} next={next} />
      <StoreStatsPanel figures={data.figures} kind={data.kind} />
    </div>
  );
}
