/** `/desk/jobs`: what waits, runs or has failed in the queue, and when each clock job last ended well. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayAct } from "#server/desk/acts/registry.ts";
import { isJobName, jobNames, readClock, readFailedKinds, readJobs } from "#server/desk/jobs.ts";
import { jobStateWords, wordOf } from "#server/desk/words.ts";
import * as paths from "#server/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { Empty } from "../../ui/empty.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { ActLinks } from "../act-links.tsx";
import { givenIn } from "../address-text.ts";
import { deskLoader } from "../door.ts";
import { choicesOf, Filters } from "../filters.tsx";
import { deskHandle } from "../handle.ts";
import { More } from "../more.tsx";
import { ageOf, timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Jobs");

export const loader = deskLoader("jobs", z.unknown(), async ({ context, url, desk }) => {
  const name = givenIn(url, "name");
  const filter = {
    state: wordOf(jobStateWords, givenIn(url, "state")),
    name: name !== undefined && isJobName(name) ? name : undefined,
  };
  const page = givenIn(url, "page");
  const { db } = context;
  const [jobs, failed, clock] = await Promise.all([
    readJobs(db, { ...filter, page }),
    readFailedKinds(db),
    readClock(db),
  ]);
  const { role } = desk.staff;
  const mayRetry = mayAct(role, "job.retry");
  return {
    filter,
    states: choicesOf(jobStateWords),
    names: jobNames.map((value) => ({ value, label: value })),
    failed: mayAct(role, "jobs.retry-all")
      ? failed.map((kind) => ({
          label: `Try again: ${kind.name} (${kind.count} failed)`,
          href: paths.deskAct("jobs.retry-all", kind.name),
        }))
      : [],
    jobs: jobs.rows.map((job) => ({
      id: job.id,
      name: job.name,
      state: jobStateWords[job.state],
      age: ageOf(job.createdAt),
      since: timeView(job.createdAt),
      due: job.state === "later" ? timeView(job.dueAt) : null,
      tries: `${job.attempts} of ${job.maxAttempts}`,
      error: job.lastError,
      order: job.order === null ? null : { number: job.order.number, path: paths.deskOrder(job.order.id) },
      retry: mayRetry && job.state !== "running" ? paths.deskAct("job.retry", job.id) : null,
    })),
    first: page === undefined ? null : paths.deskJobs(filter),
    next: jobs.nextPage === null ? null : paths.deskJobs({ ...filter, page: jobs.nextPage }),
    clock: clock.map(({ name: what, succeededAt }) => ({
      name: what,
      at: succeededAt === null ? null : { ...timeView(succeededAt), age: ageOf(succeededAt) },
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
      <ActLinks acts={failed} />
      {jobs.length === 0 ? (
        <Empty message={isNarrowed ? "No such job is in the queue." : "The queue is empty: all is done."} />
      ) : (
        <ListTable
          label="Jobs"
          columns={[
            "Job",
            "State",
            "Order",
            "Age",
            "Tries",
            { label: "Last error", holds: "words" },
            { label: "Acts", holds: "acts" },
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
      <More first={first} next={next} />
      <section aria-labelledby="clock">
        <h2 id="clock">By the clock</h2>
        <ListTable
          label="Clock jobs"
          columns={["Job", "Last ended well"]}
          rows={clock.map(({ name, at }) => ({
            id: name,
            cells: [
              name,
              at === null ? (
                "never yet"
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
