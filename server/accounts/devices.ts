/**
 * From what and from where somebody signs in: the browser as it calls itself, the network, and the country where the operator's
 * proxy tells it. A browser is known again by the random key in its cookie. A sign-in with one that the account has not seen is
 * told to its owner by mail.
 */
import * as rows from "#db/accounts/devices.ts";
import type { SessionId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { notifyOwner } from "./account-notifications.ts";
import { readDevice } from "./device-names.ts";

/** Past this a browser counts as new. */
export const deviceDays = 400;

/** Longer ones are made up. */
const maxClientLength = 300;

/** From what and from where somebody signs in. */
export interface DeviceAndLocation {
  /** The browser, as it calls itself. */
  client: string;
  /** A part of the address: see shortNetwork. */
  network: string;
  /** Two capital letters; null where nobody tells. */
  country: string | null;
  /** Of the browser's cookie; null for a client that keeps none. */
  deviceKey: string | null;
}

/**
 * Writes down where a session was opened from, and tells its owner when the browser is new to the account. The first browser of
 * an account is no news.
 */
export async function recordDevice(
  db: Db,
  sessionId: SessionId,
  from: DeviceAndLocation,
  now = new Date(),
): Promise<void> {
  const { network, country } = from;
  const client = from.client.slice(0, maxClientLength);
  await db.transaction().execute(async (trx) => {
    const owner = await rows.updateDevice(trx, sessionId, { client, network, country });
    if (owner === null) return;
    // A client without cookies is known by what it is and where it comes from.
    const keyHash = hashToken(from.deviceKey ?? `${client}\n${network}`);
    const isFirst = !(await rows.hasDevices(trx, owner.userId));
    const isNew = await rows.saveDevice(trx, owner.userId, keyHash, now);
    if (isNew && !isFirst) await notifyOfDevice(trx, owner, { client, network, country });
  });
}

async function notifyOfDevice(
  trx: Trx,
  owner: rows.SessionOwner,
  { client, network, country }: { client: string; network: string; country: string | null },
): Promise<void> {
  const { browser, system } = readDevice(client);
  await notifyOwner(trx, owner, {
    what: "new-device",
    browser: browser ?? "",
    system: system ?? "",
    network,
    country: country ?? "",
  });
}
