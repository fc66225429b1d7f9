/** `npm run bench -- throughput`: only the throughput of buyers' pages. */
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { startStack } from "#tests/support/stack.ts";
import { startEmptyPage } from "./empty-page.ts";
import { makePlaces } from "./places.ts";
import { benchThroughput } from "./throughput.ts";

const emptyPage = await startEmptyPage();
const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "bench");
try {
  await benchThroughput(stack.url, `${emptyPage.url}/`, await makePlaces(stack, context));
} finally {
  await context.db.destroy();
  await stack.stop();
  await emptyPage.stop();
}
