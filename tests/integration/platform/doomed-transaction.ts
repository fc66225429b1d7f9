/**
 * Holds a transaction open, with an uncommitted row and a lock on another: `<database url>`. Sends "open"; the test then kills
 * it.
 */
import { createPool } from "#db/client.ts";

const [databaseUrl = ""] = process.argv.slice(2);
const client = await createPool(databaseUrl, 1, () => undefined).connect();
await client.query("begin");
await client.query("select 1 from worker_heartbeats where worker_id = $1 for update", ["locked"]);
await client.query("insert into worker_heartbeats (worker_id) values ($1)", ["uncommitted"]);
process.send?.("open");
