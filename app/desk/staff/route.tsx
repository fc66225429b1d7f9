/** `/desk/staff`: the people who run the store, for admins: their roles, their open sessions, and the acts on their accounts. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { possibleActs } from "#server/desk/acts/registry.ts";
import { everyStaff } from "#server/desk/acts/subjects.ts";
import { readStaff } from "#server/desk/staff-list.ts";
import * as paths from "#server/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { unindexedPage } from "../../ui/head.ts";
import { ActLinks } from "../act-links.tsx";
import { CsvLink } from "../csv-link.tsx";
import { deskLoader } from "../door.ts";
import { deskHandle } from "../handle.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = unindexedPage("Staff");

export const loader = deskLoader("staff", z.unknown(), async ({ context, desk }) => {
  const { role, id: you } = desk.staff;
  const linksFor = async (subject: string, text: string) =>
    (await possibleActs(context, role, subject, text)).map(({ id, label }) => ({
      label,
      href: paths.deskAct(id, text),
    }));
  const staff = await readStaff(context.db);
  return {
    add: await linksFor("staff list", everyStaff),
    file: paths.deskStaffFile(),
    staff: await Promise.all(
      staff.map(async (each) => ({
        id: each.id,
        email: each.email,
        role: each.role,
        isYou: each.id === you,
        state: each.hasSecondFactor
          ? "with a second factor"
          : each.hasPassword
            ? "without a second factor"
            : "has not set up the account",
        sessions: each.sessions.map(({ id, client, lastSeenAt }) => ({
          id,
          client,
          lastSeen: timeView(lastSeenAt),
        })),
        acts: await linksFor("staff", each.id),
      })),
    ),
  };
});

export default function Staff() {
  const { add, file, staff } = useLoaderData<typeof loader>();
  return (
    <div className="page">
      <h1>Staff</h1>
      <ActLinks acts={add} />
      <p>
        <CsvLink href={file} />
      </p>
      <ul className="cards">
        {staff.map(({ id, email, role, isYou, state, sessions, acts }) => (
          <li key={id} className="card">
            <h2>
              <Breakable>{email}</Breakable>
            </h2>
            <p>
              {role}
              {isYou && ", you"}, {state}
            </p>
            {sessions.length > 0 && (
              <ul aria-label={`Sessions of ${email}`}>
                {sessions.map((session) => (
                  <li key={session.id}>
                    last seen <time dateTime={session.lastSeen.iso}>{session.lastSeen.text}</time>
                    <small className="hint"> {session.client}</small>
                  </li>
                ))}
              </ul>
            )}
            <section aria-label={`Acts on ${email}`}>
              <ActLinks acts={acts} />
            </section>
          </li>
        ))}
      </ul>
    </div>
  );
}
