/**
 * Records from which device and place users sign in: the User-Agent, the network, and the country that the operator's proxy
 * reports. The random key in its cookie identifies a browser. A sign-in from a browser that is new to the account is mailed to
 * its owner.
 */
import * as rows from "#db/accounts/devices.ts";
import type { SessionId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { notifyOwner } from "./account-notifications.ts";
import { readDevice } from "./device-names.ts";

/** Days after which a browser counts as new. */
export const deviceDays = 400;

/** Real ones are shorter. */
const maxClientLength = 300;

/** Device and place of a sign-in. */
export interface DeviceAndLocation {
  /** The browser's User-Agent. */
  client: string;
  /** Shortened address: see shortNetwork. */
  network: string;
  /** Two capital letters; null if unknown. */
  country: string | null;
  /** Key in the browser's cookie; null for a client that keeps none. */
  deviceKey: string | null;
}

/**
 * Stores the device and place of a new session, and mails the owner when the browser is new to the account. The account's first
 * browser is not reported.
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
    // A client without cookies is identified by its User-Agent and network.
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
