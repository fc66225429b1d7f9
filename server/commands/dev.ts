/** `npm run dev`: the whole stack as in `npm start`, with pages compiled as they are asked for. */
import { runStack } from "./stack.ts";

await runStack("dev");
process.exit();
