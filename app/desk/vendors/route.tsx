/** `/desk/vendors`: state of the vendors and other providers. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { mayPerform } from "#server/desk/actions/registry.ts";
import { rateLimitDays, readVendors, type VendorMarketView } from "#server/desk/vendors.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ListTable } from "../../ui/list.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { ageText, justNow, type TimeView, timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Vendors");

const withAge = (at: Date) => ({ ...timeView(at), age: ageText(at) });

export const loader = deskLoader("vendors", z.unknown(), async ({ context, desk }) => {
  const { pauses, markets, checks, pulses, limits } = await readVendors(context);
  const mayProbe = mayPerform(desk.staff.role, "vendor.probe");
  return {
    pauses: pauses.map(({ since, ...pause }) => ({
      ...pause,
      since: withAge(since),
      probe: mayProbe ? paths.deskActionForm("vendor.probe", pause.account) : null,
    })),
    markets: markets.map(({ consent, ...market }) => ({ ...market, ...consentWords(consent) })),
    checks: checks.map(({ what, at }) => ({ what, at: at === null ? null : withAge(at) })),
    pulses: pulses.map(({ source, kind, at }) => ({ source, kind, at: withAge(at) })),
    rateLimitDays,
    limits: limits.map(({ lastAt, ...limit }) => ({ ...limit, last: withAge(lastAt) })),
  };
});

/** Text about a consent, and its problem, if any. */
function consentWords(consent: VendorMarketView["consent"]): { consent: string; problem: string | null } {
  if (consent === undefined) return { consent: "not needed", problem: null };
  if (consent === null) return { consent: "none", problem: "Consent needed: npm run consent" };
  const { userName, days, lastUsedAt, hasMfa, isOld } = consent;
  const used = ageText(lastUsedAt);
  return {
    consent: `${userName}, ${days === 1 ? "1 day" : `${days} days`} old, used ${used === justNow ? used : `${used} ago`}`,
    problem: !hasMfa
      ? "Given without MFA. Consent again"
      : isOld
        ? "The consent is old. Consent again"
        : null,
  };
}

export default function Vendors() {
  const { pauses, markets, checks, pulses, limits, rateLimitDays: days } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Vendors</h1>
      {pauses.length > 0 && (
        <section aria-labelledby="paused">
          <h2 id="paused">Paused</h2>
          <p>
            These vendors aren't accepting orders from us. Orders wait and continue automatically once the
            cause is fixed.
          </p>
          <ListTable
            label="Paused vendors"
            columns={[
              "Vendor",
              "For",
              { label: "Orders waiting", holds: "amount" },
              { label: "Why", holds: "words" },
              { label: "Actions", holds: "acts" },
            ]}
            rows={pauses.map(({ account, vendor, reason, since, waiting, probe }) => ({
              id: account,
              cells: [
                vendor,
                <time key="since" dateTime={since.iso}>
                  {since.age}
                </time>,
                waiting,
                <Breakable key="reason">{reason}</Breakable>,
                probe !== null && (
                  <a key="probe" href={probe}>
                    Check again now<span className="visually-hidden"> {vendor}</span>
                  </a>
                ),
              ],
            }))}
          />
        </section>
      )}
      <section aria-labelledby="accounts">
        <h2 id="accounts">Accounts and catalogues</h2>
        <ListTable
          label="Accounts and catalogues"
          columns={[
            "Vendor",
            { label: "Account", holds: "words" },
            { label: "Consent", holds: "words" },
            { label: "Plans not found", holds: "words" },
            { label: "Catalogue mismatches", holds: "words" },
          ]}
          rows={markets.map(({ vendor, account, consent, problem, notFound, differences }) => ({
            id: vendor,
            cells: [
              vendor,
              <Breakable key="account">{account}</Breakable>,
              <span key="consent" className="stacked">
                <Breakable>{consent}</Breakable>
                {problem !== null && <b>{problem}</b>}
              </span>,
              <Several key="missing" words={notFound} />,
              <Several key="differences" words={differences} />,
            ],
          }))}
        />
      </section>
      <section aria-labelledby="asked">
        <h2 id="asked">Last checked</h2>
        <dl className="facts">
          {checks.map(({ what, at }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{at === null ? "never" : <Ago at={at} />}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="pulse">
        <h2 id="pulse">Webhooks</h2>
        {pulses.length === 0 ? (
          <p>None received yet.</p>
        ) : (
          <ListTable
            label="Latest webhook of each type"
            columns={["From", "Kind", "Last"]}
            rows={pulses.map(({ source, kind, at }) => ({
              id: `${source} ${kind}`,
              cells: [source, <Breakable key="kind">{kind}</Breakable>, <Ago key="at" at={at} />],
            }))}
          />
        )}
      </section>
      <section aria-labelledby="limits">
        <h2 id="limits">Rate limits hit</h2>
        {limits.length === 0 ? (
          <p>None in the last {days} days.</p>
        ) : (
          <ListTable
            label="Rate limits hit"
            columns={["Provider", `Times in ${days} days`, "On days", "Last"]}
            rows={limits.map(({ provider, count, days: onDays, last }) => ({
              id: provider,
              cells: [provider, count, onDays, <Ago key="last" at={last} />],
            }))}
          />
        )}
      </section>
    </div>
  );
}

function Ago({ at }: { at: TimeView & { age: string } }) {
  return (
    <span>
      <time dateTime={at.iso}>{at.text}</time> ({at.age})
    </span>
  );
}

/** Shows a count that opens to its list, or "none". */
function Several({ words }: { words: readonly string[] }) {
  if (words.length === 0) return <>none</>;
  return (
    <details>
      <summary>{words.length}</summary>
      <ul>
        {words.map((each) => (
          <li key={each}>
            <Breakable>{each}</Breakable>
          </li>
        ))}
      </ul>
    </details>
  );
}
