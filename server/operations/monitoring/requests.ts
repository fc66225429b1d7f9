/** Counts the requests whose responses the preload has seen. */

import { watchRequests } from "#server/foundation/web/request-watch.ts";
import { httpRequests, labelOf } from "#server/integrations/metrics/process-metrics.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** @param patternOf returns the pattern of the route that serves a path */
export function countRequests(patternOf: (path: string) => string): void {
  watchRequests(({ method, path, status, seconds }) => {
    httpRequests.observe(
      {
        route: path === null ? "none" : patternOf(path),
        method: methods.has(method) ? method : labelOf("method", null),
        status: status === null ? "aborted" : String(status),
      },
      seconds,
    );
  });
}
