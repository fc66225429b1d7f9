/**
 * The preload's facts about the current request, for the app. The app is bundled separately from the preload's modules, so they
 * share a global symbol. A header would not do: every client could send it, and it would be trusted without the preload.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestMetadata {
  /** Our own id, in the response and in every log line about the request. */
  requestId: string;
  /** Client address by which rate limits count. */
  clientAddress: string;
  /** The Origin header. It is hidden from Remix, which would answer a foreign one with an empty 500 before any route runs. */
  origin: string | null;
  /** Whether the address ends with `.data`, with which Remix requests the data of a page's loaders. */
  isForData: boolean;
  /** Signed-in user, once their session is read; for the log. */
  userId?: string;
  /** Signed-in member of staff. */
  staffId?: string;
}

const place = Symbol.for("hubs.request-store");

function store(): AsyncLocalStorage<RequestMetadata> | undefined {
  const found: unknown = Reflect.get(globalThis, place);
  return found instanceof AsyncLocalStorage ? found : undefined;
}

/** Creates the store; the preload calls it once at startup. */
export function openRequestStore(): AsyncLocalStorage<RequestMetadata> {
  const opened = new AsyncLocalStorage<RequestMetadata>();
  Reflect.set(globalThis, place, opened);
  return opened;
}

/** @throws Error with instructions, in a process that was started without the preload */
export function requirePreload(): void {
  if (store() !== undefined) return;
  throw new Error(
    "The web process was started without server/foundation/web/preload.ts, which finds out clients' addresses and keeps tokens out of the log.\n" +
      "Start it with: npm run serve",
  );
}

/** Returns the client address of the current request; null outside of one. */
export function clientAddress(): string | null {
  return store()?.getStore()?.clientAddress ?? null;
}

/** Returns the facts of the current request. @throws Error outside of a request */
export function requestMetadata(): RequestMetadata {
  const facts = store()?.getStore();
  if (facts === undefined) throw new Error("There is no request under way");
  return facts;
}
