/** A running store for fault tests, with access to its processes, its database, the providers and their controls. */
import { inject } from "vitest";
import type { Context } from "#server/platform/context.ts";
// For the type of the value from the global set-up.
import type {} from "./database-server.ts";
import { exhaustRetriesSql } from "./exhaust-retries.ts";
import { trustHttpBrowser } from "./http-browser.ts";
import { type Placed, type Sides, unfinished } from "./outcome.ts";
import { providerState } from "./provider-state.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import { type Stack, type StackOptions, startStack } from "./stack.ts";
import { until } from "./until.ts";
import { contextForStack } from "./world.ts";

export interface FaultWorld {
  stack: Stack;
  context: Context;
  sides: Sides;
  /** Resolves when these orders are fulfilled or need attention, and all their mail is sent. */
  finished(orders: readonly { placed: Pick<Placed, "id"> }[]): Promise<void>;
  /** Waits until the order is refused, and ends its retries: the next try is its last. */
  exhaustRetries(order: Pick<Placed, "id">): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultWorld({
  env = {},
  ...options
}: Omit<StackOptions, "template"> = {}): Promise<FaultWorld> {
  const stack = await startStack({
    ...options,
    template: inject("databaseTemplate"),
    env: { ...trustHttpBrowser, ...env },
  });
  const context = contextForStack(stack.env);
  return {
    stack,
    context,
    sides: {
      context,
      provider: providerState(stack.sandboxUrl),
      controls: sandboxControls(stack.sandboxUrl),
    },
    async finished(orders) {
      const placed = orders.map((order) => order.placed);
      let left: string[] = [];
      await until("nothing is left to do for the orders", async () => {
        left = await unfinished(context, placed);
        return left.length === 0;
      }).catch((error: unknown) => {
        throw new Error([...left, ...stack.logs("worker").slice(-30)].join("\n"), { cause: error });
      });
    },
    async exhaustRetries({ id }) {
      await until(
        "the order has been refused",
        async () => (await context.pool.query(exhaustRetriesSql, [id])).rowCount === 1,
      );
    },
    async stop() {
      await context.db.destroy();
      await stack.stop();
    },
  };
}

/** Current state of an order. */
export async function statusOf({ context }: FaultWorld, { id }: Pick<Placed, "id">): Promise<string> {
  const row = await context.db
    .selectFrom("orders")
    .select("fulfilment_status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.fulfilment_status;
}
