/**
 * The embedded database as a separate process, so that other work does not delay its answers. `--data-dir <folder>` keeps the
 * data. Without it the database is in memory, and may start from `--snapshot <file>`.
 */
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "#sandbox/local/embedded.ts";

const { values } = parseArgs({
  options: {
    "data-dir": { type: "string" },
    port: { type: "string", default: "0" },
    snapshot: { type: "string" },
  },
});

try {
  const database = await startEmbeddedPostgres({
    dataDir: values["data-dir"] ?? null,
    port: Number(values.port),
    ...(values.snapshot === undefined ? {} : { snapshot: values.snapshot }),
    onFailure(error) {
      console.error("The embedded database cannot go on:", error);
      process.exit(1);
    },
  });
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      database.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error("The embedded database did not close in good order:", error);
          process.exit(1);
        },
      );
    });
  }
  console.log(`listening on ${database.url}`);
  process.send?.({ databaseUrl: database.url });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
