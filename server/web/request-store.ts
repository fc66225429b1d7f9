/**
 * What the preload knows of the request under way, for the app, which is bundled apart from this process's own modules and meets
 * them in one place of the process. No header carries it: a header could be sent by anybody, and believed where the preload is
 * missing.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestFacts {
  /** Ours, in the answer and in every line of log about the request. */
  requestId: string;
  /** The address rate limits count by. */
  clientAddress: string;
  /** The Origin header, taken from Remix, which answers a foreign one with an empty 500 before any route is asked. */
  origin: string | null;
}

const place = Symbol.for("hubs.request-store");

function store(): AsyncLocalStorage<RequestFacts> | undefined {
  const found: unknown = Reflect.get(globalThis, place);
  return found instanceof AsyncLocalStorage ? found : undefined;
}

/** For the preload, once, as the process starts. */
export function openRequestStore(): AsyncLocalStorage<RequestFacts> {
  const opened = new AsyncLocalStorage<RequestFacts>();
  Reflect.set(globalThis, place, opened);
  return opened;
}

/** @throws Error in a process that was started without the preload; it says how to start one */
export function requirePreload(): void {
  if (store() !== undefined) return;
  throw new Error(
    "The web process was started without server/web/preload.ts, which finds out clients' addresses and keeps tokens out of the log.\n" +
      "Start it with: npm run serve",
  );
}

/** Of the request under way. @throws Error outside of one */
export function requestFacts(): RequestFacts {
  const facts = store()?.getStore();
  if (facts === undefined) throw new Error("There is no request under way");
  return facts;
}
