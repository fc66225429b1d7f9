/** Freezes a process, but never in the middle of a query. */
import { setTimeout as sleep } from "node:timers/promises";
import { onServer } from "./template.ts";
import { until } from "./until.ts";

/** The embedded database has one connection: a process frozen in the middle of a query would block everybody. */
export async function freeze(signal: (name: NodeJS.Signals) => void, databaseUrl: string): Promise<void> {
  await until("the process is stopped outside of a query", async () => {
    signal("SIGSTOP");
    const answers = onServer(databaseUrl, "select 1").then(() => true);
    if (await Promise.race([answers, sleep(500, false)])) return true;
    signal("SIGCONT");
    await answers;
    return false;
  });
}
