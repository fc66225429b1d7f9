/** What the jobs' tests begin with: a world in which one company has an owner. */
import type { CustomerId } from "#db/ids.ts";
import { makeCompany, makePerson, type Person } from "#tests/support/orders.ts";
import { startWorld, type World } from "#tests/support/world.ts";

/** For the top of a test file. */
export async function startWorldOfCompany(): Promise<{ world: World; owner: Person; company: CustomerId }> {
  const world = await startWorld();
  const owner = await makePerson(world.context.db);
  return { world, owner, company: await makeCompany(world.context.db, owner) };
}
