/** `/desk/jobs`: waiting, running and failed jobs, and when each cron job last succeeded. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayPerform } from "#server/desk/actions/registry.ts";
import { isJobName, jobNames, readCronRuns, readFailedKinds, readJobs } from "#server/desk/jobs.ts";
import { jobStateLabels, parseLabelKey } from "#server/desk/labels.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { ActionLinks } from "../action-links.tsx";
import { Filters, toOptions } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { ListPaging } from "../list-paging.tsx";
import { deskLoader } from "../route-builders.ts";
import { searchParam } from "../search-param.ts";
import { ageText, timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Jobs");

export const loader = deskLoader("jobs", z.unknown(), async ({ context, url, desk }) => {
  const name = searchParam(url, "name");
  const filter = {
    state: parseLabelKey(jobStateLabels, searchParam(url, "state")),
    name: name !== undefined && isJobName(name) ? name : undefined,
  };
  const page = searchParam(url, "page");
  const { db } = context;
  const [jobs, failed, clock] = await Promise.all([
    readJobs(db, { ...filter, page }),
    readFailedKinds(db),
    readCronRuns(db),
  ]);
  const { role } = desk.staff;
  const mayRetry = mayPerform(role, "job.retry");
  return {
    filter,
    states: toOptions(jobStateLabels),
    names: jobNames.map((value) => ({ value, label: value })),
    failed: mayPerform(role, "jobs.retry-all")
      ? failed.map((kind) => ({
          label: `Try again: ${kind.name} (${kind.count} failed)`,
          href: paths.deskActionForm("jobs.retry-all", kind.name),
        }))
      : [],
    jobs: jobs.rows.map((job) => ({
      id: job.id,
      name: job.name,
      state: jobStateLabels[job.state],
      age: ageText(job.createdAt),
      since: timeView(job.createdAt),
      due: job.state === "later" ? timeView(job.dueAt) : null,
      tries: `${job.attempts} of ${job.maxAttempts}`,
      error: job.lastError,
      order: job.order === null ? null : { number: job.order.number, path: paths.deskOrder(job.order.id) },
      retry: mayRetry && job.state !== "running" ? paths.deskActionForm("job.retry", job.id) : null,
    })),
    first: page === undefined ? null : paths.deskJobs(filter),
    next: jobs.nextPage === null ? null : paths.deskJobs({ ...filter, page: jobs.nextPage }),
    clock: clock.map(({ name: what, succeededAt }) => ({
      name: what,
      at: succeededAt === null ? null : { ...timeView(succeededAt), age: ageText(succeededAt) },
    })),
  };
});

export default function Jobs() {
  const { filter, states, names, failed, jobs, first, next, clock } = useLoaderData<typeof loader>();
  const isNarrowed = filter.state !== undefined || filter.name !== undefined;
  return (
    <div className="page">
      <h1>Jobs</h1>
      <Filters
        fields={[
          { name: "state", label: "State", value: filter.state, options: states },
          { name: "name", label: "Kind", value: filter.name, options: names },
        ]}
      />
      <ActionLinks acts={failed} />
      {jobs.length === 0 ? (
        <EmptyState message={isNarrowed ? "No matching jobs." : "The queue is empty."} />
      ) : (
        <ListTable
          label="Jobs"
          columns={[
            "Job",
            "State",
            "Order",
            "Waiting",
            "Attempts",
            { label: "Last error", holds: "words" },
            { label: "Actions", holds: "acts" },
          ]}
          rows={jobs.map((job) => ({
            id: job.id,
            cells: [
              job.name,
              <span key="state" className="stacked">
                {job.state}
                {job.due !== null && (
                  <small>
                    due <time dateTime={job.due.iso}>{job.due.text}</time>
                  </small>
                )}
              </span>,
              job.order === null ? (
                ""
              ) : (
                <a key="order" href={job.order.path}>
                  {job.order.number}
                </a>
              ),
              <time key="age" dateTime={job.since.iso}>
                {job.age}
              </time>,
              job.tries,
              job.error === null ? "" : <Breakable key="error">{job.error}</Breakable>,
              job.retry !== null && (
                <a key="retry" href={job.retry}>
                  Try again now
                  <span className="visually-hidden">
                    {" "}
                    {job.name} {job.order?.number ?? job.id}
                  </span>
                </a>
              ),
            ],
          }))}
        />
      )}
      <ListPaging first={first} next={next} />
      <section aria-labelledby="clock">
        <h2 id="clock">Scheduled jobs</h2>
        <ListTable
          label="Scheduled jobs"
          columns={["Job", "Last succeeded"]}
          rows={clock.map(({ name, at }) => ({
            id: name,
            cells: [
              name,
              at === null ? (
                "never"
              ) : (
                <span key="at">
                  <time dateTime={at.iso}>{at.text}</time> ({at.age})
                </span>
              ),
            ],
          }))}
        />
      </section>
    </div>
  );
}
