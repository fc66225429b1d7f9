/** The database of a command that needs no other setting. */

/** @returns DATABASE_URL; without one the process ends and says so */
export function requireDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url) return url;
  console.error("DATABASE_URL is not set: give the address of the database, postgres://user@host/name");
  process.exit(1);
}
