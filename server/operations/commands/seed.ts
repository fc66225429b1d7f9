/** `npm run seed`: syncs the catalogue in the database at DATABASE_URL with db/seed. Idempotent. */
import { createDb, createPool } from "#db/client.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { requireDatabaseUrl } from "./database-url.ts";

const db = createDb(createPool(requireDatabaseUrl(), 1));
try {
  const { items, written, retired } = await seedCatalogue(db);
  console.log(
    `${items} items on sale; ${written} rows written; ${retired.length} retired ${retired.join(", ")}`.trim(),
  );
} finally {
  await db.destroy();
}
