/** The PostgreSQL for tests: the one in TEST_DATABASE_URL, else one that answers on this machine, else the embedded database. */
import { userInfo } from "node:os";
import pg from "pg";

const local = "127.0.0.1:5432";
/** Value of the setting for the embedded database, even if a PostgreSQL answers. */
const embedded = "embedded";

/**
 * Returns the address of a PostgreSQL whose user can create databases, or null for the embedded database.
 * `TEST_DATABASE_URL` decides; without it, the user's own name, root and postgres are tried at 127.0.0.1:5432. The answer is
 * stored in the environment, so that processes started later use the same database.
 * @returns {Promise<string | null>}
 */
export async function findTestServer() {
  const given = process.env.TEST_DATABASE_URL ?? "";
  if (given === "") process.env.TEST_DATABASE_URL = (await localServer()) ?? embedded;
  return testServer();
}

/**
 * Returns what `findTestServer` found in this process or the one that started it; null for the embedded database.
 * @returns {string | null}
 */
export function testServer() {
  const url = process.env.TEST_DATABASE_URL ?? "";
  return url === "" || url === embedded ? null : url;
}

/** Describes the tests' database in one line, without a password. */
export function testServerText() {
  const url = testServer();
  if (url !== null) return `Database: the PostgreSQL at ${new URL(url).host}.`;
  return `Database: the embedded one. It has a single session, so tests of several sessions are skipped. No PostgreSQL whose user can create databases answers at ${local}.`;
}

async function localServer() {
  for (const user of new Set([userInfo().username, "root", "postgres"])) {
    const url = `postgres://${encodeURIComponent(user)}@${local}/postgres`;
    if (await canCreateDatabases(url)) return url;
  }
  return null;
}

/** @param {string} connectionString */
async function canCreateDatabases(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      "select from pg_roles where rolname = current_user and (rolcreatedb or rolsuper)",
    );
    return rows.length === 1;
  } catch {
    // Nothing answers there, or not for this user.
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
