/**
 * Reports each finished request to the app. The preload and the app are bundled separately and share only what Node shares: a
 * diagnostics channel.
 */
import { channel, subscribe } from "node:diagnostics_channel";
import { z } from "zod";

const name = "hubs.request.finished";

const finished = z.object({
  method: z.string(),
  /** Path without the query. Null if no route answered: a file, or a malformed request. */
  path: z.string().nullable(),
  /** Null when the client disconnected before its response was complete. */
  status: z.int().nullable(),
  seconds: z.number(),
});
export type FinishedRequest = z.infer<typeof finished>;

/** Publishes a finished request; called by the preload. */
export function publishFinishedRequest(request: FinishedRequest): void {
  channel(name).publish(request);
}

/** Subscribes to finished requests; called by the app, once. */
export function watchRequests(watcher: (request: FinishedRequest) => void): void {
  subscribe(name, (message) => watcher(finished.parse(message)));
}
