/** The header of every page: brand, search, and who is signed in. Works as plain links and forms. */
import { paths } from "../paths.ts";

export function Header({ user }: { user: { name: string; email: string } | null }) {
  return (
    <header className="header">
      <a className="brand" href={paths.home()}>
        Hubs of Happiness
      </a>
      <search>
        <form action={paths.search()} method="get" className="search">
          <label className="visually-hidden" htmlFor="search-query">
            Search services
          </label>
          <input id="search-query" name="query" type="search" maxLength={200} placeholder="Search services" />
          <button type="submit" className="quiet">
            Search
          </button>
        </form>
      </search>
      <nav aria-label="Account">
        {user === null ? (
          <a href={paths.login()}>Log In</a>
        ) : (
          <form action={paths.logout()} method="post" className="inline">
            <a href={paths.subscriptions()}>Subscriptions</a> <span title={user.email}>{user.name}</span>{" "}
            <button type="submit" className="quiet">
              Log Out
            </button>
          </form>
        )}
      </nav>
    </header>
  );
}
