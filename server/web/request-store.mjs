/**
 * What the preload knows of the request under way, for the app, which is bundled apart from this process's own modules and meets
 * them in one place of the process. No header carries it: a header could be sent by anybody, and believed where the preload is
 * missing.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/**
 * @typedef {object} RequestFacts
 * @property {string} requestId ours, in the answer and in every line of log about the request
 * @property {string} clientAddress the address rate limits count by
 * @property {string | null} origin the Origin header, taken from Remix, which answers a foreign one with an empty 500 before any
 *   route is asked
 */

const place = Symbol.for("hubs.request-store");

/** @returns {AsyncLocalStorage<RequestFacts> | undefined} */
function store() {
  const found = Reflect.get(globalThis, place);
  return found instanceof AsyncLocalStorage ? found : undefined;
}

/** For the preload, once, as the process starts. @returns {AsyncLocalStorage<RequestFacts>} */
export function openRequestStore() {
  const opened = new AsyncLocalStorage();
  Reflect.set(globalThis, place, opened);
  return opened;
}

/** @throws {Error} in a process that was started without the preload; it says how to start one */
export function requirePreload() {
  if (store() !== undefined) return;
  throw new Error(
    "The web process was started without server/web/preload.mjs, which finds out clients' addresses and keeps tokens out of the log.\n" +
      "Start it with: npm run serve",
  );
}

/** @returns {RequestFacts} of the request under way @throws {Error} outside of one */
export function requestFacts() {
  const facts = store()?.getStore();
  if (facts === undefined) throw new Error("There is no request under way");
  return facts;
}
