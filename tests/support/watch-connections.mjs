/** Loaded with `--import`: writes a line for every TCP connection that the process opens, observed below `net`. */
import { createHook } from "node:async_hooks";
import { writeSync } from "node:fs";

createHook({
  init(_id, type, _trigger, resource) {
    if (type !== "TCPCONNECTWRAP") return;
    // Node sets the destination after it has created the resource.
    process.nextTick(() =>
      writeSync(2, `connects to ${Reflect.get(resource, "address")} ${Reflect.get(resource, "port")}\n`),
    );
  },
}).enable();
