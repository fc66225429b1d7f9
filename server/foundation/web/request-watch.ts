/**
 * Tells the app of each request that is over. The preload and the app are bundled apart and share only what Node shares: a diagnostics
 * channel.
 */
import { channel, subscribe } from "node:diagnostics_channel";
import { z } from "zod";

const name = "hubs.request.finished";

const finished = z.object({
  method: z.string(),
  /** Without the query. Null for what no route answered: a file, or a malformed request. */
  path: z.string().nullable(),
  /** Null when the client went away before its answer was complete. */
  status: z.int().nullable(),
  seconds: z.number(),
});
export type FinishedRequest = z.infer<typeof finished>;

/** For the preload. */
export function publishFinishedRequest(request: FinishedRequest): void {
  channel(name).publish(request);
}

/** For the app, once. */
export function watchRequests(watcher: (request: FinishedRequest) => void): void {
  subscribe(name, (message) => watcher(finished.parse(message)));
}
