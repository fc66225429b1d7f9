/** `npm run docs:diagrams`: redraws the diagrams of imports between rooms in docs/architecture.md. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { withPictures } from "./import-graph.ts";
import { projectFolder, textOf } from "./tree.ts";

const file = "docs/architecture.md";
writeFileSync(path.join(projectFolder, file), withPictures(textOf(file)));
