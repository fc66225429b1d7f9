/** Setup for the tests of jobs: a world with one company and its owner. */
import type { CustomerId } from "#db/ids.ts";
import { makeCompany, makePerson, type Person } from "#tests/support/orders.ts";
import { startWorld, type World } from "#tests/support/world.ts";

export async function startWorldOfCompany(): Promise<{ world: World; owner: Person; company: CustomerId }> {
  const world = await startWorld();
  const owner = await makePerson(world.context.db);
  return { world, owner, company: await makeCompany(world.context.db, owner) };
}
