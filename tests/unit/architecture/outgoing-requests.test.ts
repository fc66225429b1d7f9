/**
 * Only one client sends requests. Finds the uses that the linter cannot see: `http.request` of a module, `fetch` of the global
 * object.
 */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const client = "server/foundation/security/egress.ts";
const others =
  /\bhttps?\.(request|get)\b|globalThis\.fetch|window\.fetch|(require|import)\(["'](undici|axios|(node:)?https?2?)["']\)/;

test("sends requests from one module only", () => {
  const sources = ["app", "server", "db"].flatMap((folder) => filesUnder(folder, /\.[mc]?[jt]sx?$/));
  expect(sources.filter((file) => others.test(textOf(file)))).toEqual([client]);
});

test("limits web, worker and commands", () => {
  const limited = filesUnder("app", /\.tsx?$/)
    .concat(filesUnder("server", /\.ts$/))
    .filter((file) => textOf(file).includes("limitEgress("));
  expect(limited.filter((file) => file !== client)).toEqual([
    "app/http/context.ts",
    "server/operations/commands/operator.ts",
    "server/operations/commands/pdf-renderers.ts",
    "server/operations/commands/preflight.ts",
    "server/operations/commands/worker.ts",
  ]);
});
