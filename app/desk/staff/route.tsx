/** `/desk/staff`: staff accounts, for admins: roles, open sessions and staff actions. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { possibleActs } from "#server/desk/actions/registry.ts";
import { everyStaff } from "#server/desk/actions/subjects.ts";
import { readStaff } from "#server/desk/staff-list.ts";
import * as paths from "#server/foundation/paths.ts";
import { Breakable } from "../../ui/breakable.tsx";
import { noindexMeta } from "../../ui/head.ts";
import { ActionLinks } from "../action-links.tsx";
import { CsvLink } from "../csv-link.tsx";
import { deskHandle } from "../handle.ts";
import { deskLoader } from "../route-builders.ts";
import { timeView } from "../view.ts";

export const handle = deskHandle;
export const meta = noindexMeta("Staff");

export const loader = deskLoader("staff", z.unknown(), async ({ context, desk }) => {
  const { role, id: you } = desk.staff;
  const linksFor = async (subject: string, text: string) =>
    (await possibleActs(context, role, subject, text)).map(({ id, label }) => ({
      label,
      href: paths.deskActionForm(id, text),
    }));
  const staff = await readStaff(context.db);
  return {
    add: await linksFor("staff list", everyStaff),
    file: paths.deskStaffCsv(),
    staff: await Promise.all(
      staff.map(async (each) => ({
        id: each.id,
        email: each.email,
        role: each.role,
        isYou: each.id === you,
        state: each.hasSecondFactor
          ? "two-step sign-in on"
          : each.hasPassword
            ? "two-step sign-in off"
            : "account not set up",
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
      <ActionLinks acts={add} />
      <CsvLink href={file} />
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
            <section aria-label={`Actions for ${email}`}>
              <ActionLinks acts={acts} />
            </section>
          </li>
        ))}
      </ul>
    </div>
  );
}
