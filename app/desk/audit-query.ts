/** Filters of the audit log, from the URL's query. An empty field filters nothing. */
const names = ["staff", "action", "subject"] as const;
type Name = (typeof names)[number];

export function auditFilter({ searchParams }: URL): Record<Name, string | null> {
  // PostgreSQL stores no NUL, so nothing in the log contains one.
  const given = (name: Name) => searchParams.get(name)?.replaceAll("\0", " ").trim().slice(0, 200) || null;
  return { staff: given("staff"), action: given("action"), subject: given("subject") };
}

/** The filter as query parameters. */
export function filterQuery(filter: Readonly<Record<Name, string | null>>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}
