/** Loaded into a process of a test (NODE_OPTIONS): at SIGUSR2 it collects its garbage and says what of its heap is in use. */
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

process.on("SIGUSR2", () => {
  collect();
  process.stdout.write(`${JSON.stringify({ heapUsed: process.memoryUsage().heapUsed })}\n`);
});
