/**
 * The token with which an administrator in the admin console lets another reseller take over. `SANDBOX-TOKEN` is always valid,
 * `SANDBOX-TOKEN@2026-11-01` was created at that time and lives 14 days by the sandbox's clock, `EXPIRED-TOKEN` is expired, and
 * anything else is wrong.
 */
import type { Sandbox } from "../sandbox.ts";
import { GoogleError } from "./calls.ts";

const lifeMs = 14 * 24 * 3600_000;

/** @throws GoogleError PERMISSION_DENIED when it is expired, wrong or missing */
export function checkTransferToken(sandbox: Sandbox, given: string): void {
  const [word, madeAt] = given.trim().split("@", 2);
  const made = madeAt === undefined ? sandbox.now() : Date.parse(madeAt);
  if (word === "EXPIRED-TOKEN" || (word === "SANDBOX-TOKEN" && sandbox.now() - made > lifeMs)) {
    throw new GoogleError("PERMISSION_DENIED", "The auth token expired (token expired).");
  }
  if (word !== "SANDBOX-TOKEN" || Number.isNaN(made))
    throw new GoogleError("PERMISSION_DENIED", "The auth token is invalid.");
}
