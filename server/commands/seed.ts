/**
 * `npm run seed`: syncs the catalogue in the database at DATABASE_URL with db/seed. Idempotent. `--demo <sandbox's address>`
 * also adds the demo company, here and in the sandbox. `npm start` and `npm run dev` use it.
 */
import { parseArgs } from "node:util";
import { createDb, createPool } from "#db/client.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { createLog } from "#server/log.ts";
import { reasonToRefuse } from "#server/sandbox/guard.ts";
import { loadDemoData } from "./demo-data.ts";
import { plantInSandbox } from "./demo-sandbox.ts";

const { values } = parseArgs({ options: { demo: { type: "string" } } });

const url = process.env.DATABASE_URL;
if (!url) {
  console.error("DATABASE_URL is not set: give the address of the database, postgres://user@host/name");
  process.exit(1);
}
const reason = values.demo === undefined ? undefined : reasonToRefuse(process.env);
if (reason !== undefined) {
  console.error(`No demo data beside real providers: ${reason}.`);
  process.exit(1);
}

const db = createDb(createPool(url, 1));
try {
  const { items, written, retired } = await seedCatalogue(db);
  console.log(
    `${items} items on sale; ${written} rows written; ${retired.length} retired ${retired.join(", ")}`.trim(),
  );
  if (values.demo !== undefined) {
    console.log((await loadDemoData(db)) ? "Demo data loaded." : "Demo data was there.");
    // Starting without the demo tenants is better than not starting.
    await plantInSandbox(db, values.demo).catch((error: unknown) =>
      createLog("info", "seed").error({ err: error }, "the sandbox does not know the demo company"),
    );
  }
} finally {
  await db.destroy();
}
