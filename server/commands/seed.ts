/** `npm run seed`: brings the catalogue in the database at DATABASE_URL in line with db/seed. Safe to repeat. */
import { createDb, createPool } from "#db/client.ts";
import { seedCatalogue } from "#db/seed/index.ts";

const url = process.env.DATABASE_URL;
if (!url) {
  console.error("DATABASE_URL is not set: give the address of the database, postgres://user@host/name");
  process.exit(1);
}

const db = createDb(createPool(url, 1));
try {
  const { items, written, retired } = await seedCatalogue(db);
  console.log(
    `${items} items on sale; ${written} rows written; ${retired.length} retired ${retired.join(", ")}`.trim(),
  );
} finally {
  await db.destroy();
}
