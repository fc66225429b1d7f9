/**
 * Loaded into a process of a test (NODE_OPTIONS): at SIGUSR2 it collects its garbage and says what of its heap is in use. Its threads cannot
 * be told to collect: they do so by themselves when there is a third more than what they use, instead of four times as much.
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
