/**
 * Loaded into a process of a test (NODE_OPTIONS): on SIGUSR2 it collects garbage and reports the heap in use. Its threads cannot
 * be made to collect; they do so automatically once their heap has grown by a third, instead of to four times the size.
 */
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
v8.setFlagsFromString("--optimize-for-size");
const collect = vm.runInNewContext("gc");

process.on("SIGUSR2", () => {
  collect();
  process.stdout.write(`${JSON.stringify({ heapUsed: process.memoryUsage().heapUsed })}\n`);
});
