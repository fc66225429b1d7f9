/** The README tells the truth where a machine can check it: the environment, the commands, the folders. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { demoEmails, demoPassword } from "#server/commands/demo-login.ts";
import { readEnv } from "#server/env.ts";
import { filesUnder, projectFolder, textOf } from "#tests/support/tree.ts";

const readme = textOf("README.md");

/** Rows of a table whose first cell is a name in code, such as "| `PUBLIC_URL` | required | ... |". */
const documented = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` +\| ([^|]+) \|/gm)].map(
  ([, name = "", standard = ""]) => ({ name, standard: standard.trim() }),
);
/** Keys of the schema in server/env.ts. */
const keys = [...textOf("server/env.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, key = ""]) => key);
/** Read beside server/env.ts: by Remix's server, by `npm start`, by `npm test`. */
const elsewhere = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "SANDBOX_PORT",
  "SANDBOX_SMTP_PORT",
  "DATABASE_PORT",
  "TEST_DATABASE_URL",
  "CHROMIUM_PATH",
];

test("every variable of server/env.ts is documented, once", () => {
  expect(keys.length).toBeGreaterThan(20);
  const names = documented.map(({ name }) => name);
  expect(keys.filter((key) => !names.includes(key))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("no variable is documented that nothing reads", () => {
  expect(documented.filter(({ name }) => ![...keys, ...elsewhere].includes(name))).toEqual([]);
});

test("those said to be required are the ones without which the store does not start", () => {
  const problems = missing();
  const required = documented.filter(({ standard }) => standard === "required").map(({ name }) => name);
  expect(required.sort()).toEqual(problems.sort());
});

test("every command is one of package.json, and it mentions every script a person runs", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(textOf("package.json")));
  const named = [...readme.matchAll(/(?:^|`|&& )npm (?:run )?([a-z0-9:]+)/gm)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => name !== "ci" && scripts[name] === undefined)).toEqual([]);
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
});

test("every dependency is named but for types, and none that is gone", () => {
  const table = z.record(z.string(), z.string());
  const { dependencies, devDependencies } = z
    .object({ dependencies: table, devDependencies: table })
    .parse(JSON.parse(textOf("package.json")));
  const wanted = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
  const [, section = ""] = readme.split("## Dependencies");
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.sort()).toEqual(wanted.filter((name) => !name.startsWith("@types/")).sort());
});

test("every file and folder it names exists, and every folder of the first two levels is named", () => {
  const linked = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = ""]) => target);
  const local = linked.filter((target) => !/^https?:/.test(target));
  expect(local.filter((target) => !existsSync(path.join(projectFolder, target)))).toEqual([]);

  const mapped = [...readme.matchAll(/^\s*([a-z][\w-]*\/)\s/gm)].map(([, folder = ""]) => folder);
  const folders = new Set(
    ["app", "server", "db", "tests"].flatMap((top) =>
      filesUnder(top, /\.[mc]?[jt]sx?$/).flatMap((file) => {
        const [, folder, rest] = file.split("/");
        return rest === undefined ? [] : [`${folder}/`];
      }),
    ),
  );
  expect([...folders].filter((folder) => !mapped.includes(folder))).toEqual([]);
});

test("the demo login is the one that works", () => {
  expect(readme).toContain(`\`${demoEmails.owner}\``);
  expect(readme).toContain(`\`${demoEmails.viewer}\``);
  expect(readme).toContain(`\`${demoPassword}\``);
});

/** The names readEnv complains of when it is given nothing. */
function missing(): string[] {
  try {
    readEnv({});
  } catch (error) {
    return [...String(error).matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, name = ""]) => name);
  }
  throw new Error("An empty environment was accepted");
}
