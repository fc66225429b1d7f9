/**
 * The sandbox's whole state, and its JSON file, so that a restarted store finds the providers unchanged. A write is on disk
 * before its response (temporary file, then rename), because a provider does not forget its responses.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { emptyGoogle } from "./google/entities.ts";
import { emptyGoogleSignIn } from "./google-sign-in/entities.ts";
import { emptyOutlook } from "./outlook/entities.ts";
import { type SandboxState, sandboxState } from "./state-schemas.ts";

export function emptyState(): SandboxState {
  return {
    version: 1,
    counts: {},
    razorpay: { orders: {}, payments: {}, refunds: {}, virtualAccounts: {}, paymentLinks: {}, disputes: {} },
    partner: {
      customers: {},
      users: {},
      agreements: [],
      carts: {},
      orders: {},
      subscriptions: {},
      catalogItems: {},
      answers: {},
      codes: {},
      refreshTokens: {},
      registrations: {},
    },
    google: emptyGoogle(),
    outlook: emptyOutlook(),
    googleSignIn: emptyGoogleSignIn(),
    gsp: {},
    mail: [],
    bills: [],
  };
}

export interface Store {
  readonly state: SandboxState;
  /** Resolves when everything changed so far is on disk. Calls made in one turn share one write. */
  save(): Promise<void>;
}

/** @param file null keeps the state in memory only. */
export async function openStore(file: string | null, warn: (message: string) => void): Promise<Store> {
  if (file === null) return { state: emptyState(), save: () => Promise.resolve() };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const state = await load(file, warn);

  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  async function write(previous: Promise<void>, path: string): Promise<void> {
    await previous.catch(() => undefined);
    // From here on a change needs another write: the next line serialises the state synchronously.
    waiting = undefined;
    const temporary = `${path}.${process.pid}.tmp`;
    // Contains passwords and mailed links.
    await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
    await rename(temporary, path);
  }
  return {
    state,
    save() {
      if (waiting === undefined) {
        waiting = write(last, file);
        last = waiting;
      }
      return waiting;
    },
  };
}

async function load(file: string, warn: (message: string) => void): Promise<SandboxState> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return emptyState();
  }
  try {
    return sandboxState.parse(JSON.parse(text));
  } catch {
    // A file of another version, or a damaged one. Moved aside, so that the sandbox can start without losing its content. Named
    // by time, so that the next such file does not replace this one.
    const aside = `${file}.${new Date().toISOString().replaceAll(":", "-")}.unreadable`;
    await rename(file, aside);
    warn(`The sandbox could not read ${file}; it was kept as ${aside} and a fresh state begins.`);
    return emptyState();
  }
}
