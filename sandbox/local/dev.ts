/** `npm run dev`: the whole stack as in `npm start`, but pages are compiled on demand. */
import { runStack } from "./stack.ts";

await runStack("dev");
process.exit();
