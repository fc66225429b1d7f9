/** The desk's header, in place of the store's: who is here, where they may go, and the way out. */
import * as paths from "#server/paths.ts";
import { useStoreName } from "../ui/brand.ts";
import type { HeaderView } from "./view.ts";

/** @param props.desk null on the pages that sign in, and where an error kept it from being known */
export function DeskHeader({ desk }: { desk: HeaderView | null }) {
  const store = useStoreName();
  return (
    <header className="header desk">
      <a className="brand" href={paths.desk()}>
        {store?.name} desk
      </a>
      {desk !== null && (
        <>
          <nav aria-label="Desk" className="pages">
            <ul>
              {desk.links.map(({ label, href, current }) => (
                <li key={href}>
                  <a href={href} aria-current={current === null ? undefined : ariaCurrent[current]}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <form method="post" action={paths.deskLogout()} className="account in-line">
            <span>
              {desk.email}, {desk.role}
            </span>
            <button type="submit" className="quiet">
              Sign out
            </button>
          </form>
        </>
      )}
    </header>
  );
}

const ariaCurrent = { page: "page", section: "true" } as const;

/** The header's data among what a document's loaders returned. */
export function headerViewIn(data: unknown): HeaderView | null {
  if (typeof data !== "object" || data === null || !("desk" in data)) return null;
  return isDeskView(data.desk) ? data.desk : null;
}

function isDeskView(value: unknown): value is HeaderView {
  return typeof value === "object" && value !== null && "links" in value && "email" in value;
}
