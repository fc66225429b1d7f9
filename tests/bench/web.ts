/** `npm run bench -- throughput`: the throughput of buyers' pages alone. */
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { startStack } from "#tests/support/stack.ts";
import { startEmptyPage } from "./empty-page.ts";
import { makePlaces } from "./places.ts";
import { benchThroughput } from "./throughput.ts";

const emptyPage = await startEmptyPage();
const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "bench");
try {
  const broken = await benchThroughput(stack.url, `${emptyPage.url}/`, await makePlaces(stack, context));
  for (const sentence of broken) console.log(`over budget: ${sentence}`);
  console.log(broken.length === 0 ? "All budgets are kept." : `${broken.length} budgets are broken.`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await context.db.destroy();
  await stack.stop();
  await emptyPage.stop();
}
