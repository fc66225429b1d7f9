/** Database of a command that needs no other setting. */

/** @returns DATABASE_URL; without one, prints an error and ends the process */
export function requireDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url) return url;
  console.error("DATABASE_URL isn't set. Set it to your database URL, for example postgres://user@host/name");
  process.exit(1);
}
