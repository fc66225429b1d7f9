/** `npm start`, once everything is installed and built: see start.mjs. */
import { runStack } from "./stack.ts";

await runStack("start");
process.exit();
