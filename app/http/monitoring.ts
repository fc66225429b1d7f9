/** Monitoring of this web process: requests by route, and readiness. */
import { startInternalServer } from "#server/operations/monitoring/internal-server.ts";
import { createReadiness, type Readiness } from "#server/operations/monitoring/readiness.ts";
import { countRequests } from "#server/operations/monitoring/requests.ts";
import { webContext } from "./context.ts";
import { type BuiltRoute, patternsOf } from "./route-pattern.ts";

let readiness: Readiness | undefined;

/** Readiness of this process for the public port, which load balancers query. */
export function webReadiness(): Readiness {
  readiness ??= createReadiness(webContext(), builtMigrations);
  return readiness;
}

/**
 * Starts the internal server. Called once, when everything that the process needs is available.
 * @throws Error naming the setting when the internal port is not available
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
