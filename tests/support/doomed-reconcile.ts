/** The daily look at payouts and bills in a process of its own, which a test kills. The moment is its argument. */

import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";

const context = createContext(readEnv(process.env), "doomed");
try {
  await reconcile(context, new Date(process.argv[2] ?? ""));
} finally {
  await context.db.destroy();
}
