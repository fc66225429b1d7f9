/** The daily reconciliation of payouts and bills as a separate process, which a test kills. Argument: the time. */

import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";

const context = createContext(readEnv(process.env), "doomed");
try {
  await reconcile(context, new Date(process.argv[2] ?? ""));
} finally {
  await context.db.destroy();
}
