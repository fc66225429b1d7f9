/** Finds the customer that a Cloud Channel call names. */
import type { Sandbox } from "../sandbox.ts";
import { type Call, GoogleError } from "./calls.ts";
import type { GoogleCustomer } from "./entities.ts";
import { customerName } from "./paths.ts";

/** @throws GoogleError NOT_FOUND */
export function customerOf(sandbox: Sandbox, call: Call): GoogleCustomer {
  const customer = sandbox.state.google.customers[customerName(call)];
  if (customer === undefined) throw new GoogleError("NOT_FOUND", "The customer was not found.");
  return customer;
}
