/** The daily look at payouts and bills in a process of its own, which a test kills. The moment is its argument. */
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { reconcile } from "#server/reconciliation/reconcile.ts";

const context = createContext(readEnv(process.env), "doomed");
try {
  await reconcile(context, new Date(process.argv[2] ?? ""));
} finally {
  await context.db.destroy();
}
