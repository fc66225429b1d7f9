/** What whoever watches this web process is told: requests by route, and whether it is ready. */
import { startInternalServer } from "#server/operations/monitoring/internal-server.ts";
import { createReadiness, type Readiness } from "#server/operations/monitoring/readiness.ts";
import { countRequests } from "#server/operations/monitoring/requests.ts";
import { webContext } from "./context.ts";
import { type BuiltRoute, patternsOf } from "./route-pattern.ts";

let readiness: Readiness | undefined;

/** Whether this process is ready: for the public port, where load balancers ask. */
export function webReadiness(): Readiness {
  readiness ??= createReadiness(webContext(), builtMigrations);
  return readiness;
}

/**
 * Once, when all that the process needs is there.
 * @throws Error naming the setting when the internal port cannot be had
 */
export async function beginMonitoring(
  routes: Readonly<Record<string, BuiltRoute | undefined>>,
): Promise<void> {
  const context = webContext();
  countRequests(patternsOf(routes));
  await startInternalServer(context, webReadiness(), {
    setting: "METRICS_PORT",
    number: context.env.METRICS_PORT,
  });
  webReadiness().begin();
}
