/** Module for `NODE_OPTIONS` in which reading the icon throws, as Node once did for a range that ended before it began. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { createReadStream } = fs;
Object.assign(fs, {
  /** @param {Parameters<typeof createReadStream>} args */
  createReadStream(...args) {
    if (String(args[0]).endsWith("icon-192.png")) throw new RangeError("no such part");
    return createReadStream(...args);
  },
});
syncBuiltinESMExports();
