/** The documents tell the truth where a machine can check it: settings, commands, files, folders, packages, the demo login. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { demoEmails, demoPassword } from "#sandbox/demo/login.ts";
import { createSecrets, sandboxEnvironment } from "#sandbox/local/environment.ts";
import { countryCodes, gstCountry } from "#server/foundation/countries/registry.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { envExample } from "#server/operations/commands/env-example.ts";
import { readEnv } from "#server/platform/env.ts";
import {
  eInvoiceSettingsOf,
  partnerSettingsOf,
  razorpaySettings,
  razorpaySettingsOf,
} from "#server/platform/settings/accounts.ts";
import { listSettings } from "#server/platform/settings/list.ts";
import { paymentSettingsOf } from "#server/platform/settings/payments.ts";
import { sellerSettings, sellerSettingsOf } from "#server/platform/settings/sellers.ts";
import { filesUnder, projectFolder, textOf } from "#tests/support/tree.ts";

const readme = textOf("README.md");
const settings = textOf("docs/operate/settings.md");
const documents = ["README.md", ...filesUnder("docs", /\.md$/)].map((file) => ({ file, text: textOf(file) }));

/** Rows of a table whose first cell is a name in code, such as "| `PUBLIC_URL` | required | ... |". */
const documented = [...settings.matchAll(/^\| `([A-Z][A-Z0-9_]+)` +\| ([^|]+) \|/gm)].map(
  ([, name = "", standard = ""]) => ({ name, standard: standard.trim() }),
);
/** Keys of the schema. */
const fixed = [...textOf("server/platform/settings/schema.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(
  ([, key = ""]) => key,
);
/** With those of accounts. */
const keys = [
  ...fixed,
  ...countryCodes.flatMap((country) => [
    ...Object.values(partnerSettingsOf(country)),
    ...Object.values(razorpaySettingsOf(country)),
  ]),
  ...Object.values(razorpaySettings),
  ...Object.values(eInvoiceSettingsOf(gstCountry)),
  ...identityProviderIds
    .flatMap((id) => Object.values(identityProviders[id].settings))
    .filter((name) => !fixed.includes(name)),
  ...countryCodes.flatMap((country) => Object.values(paymentSettingsOf(country))),
  ...Object.values(sellerSettings),
  ...countryCodes.flatMap((country) => Object.values(sellerSettingsOf(country))),
];
/** Read beside server/platform/env.ts: by Remix's server, by `npm start`, by `npm test`. */
const elsewhere = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "SANDBOX_PORT",
  "SANDBOX_DELAY_SCALE",
  "SANDBOX_GOOGLE_CALLS_PER_MINUTE",
  "SANDBOX_SMTP_PORT",
  "SANDBOX_STATE",
  "DATABASE_PORT",
  "TEST_DATABASE_URL",
  "CHROMIUM_PATH",
];

const manifest = z
  .object({
    engines: z.object({ node: z.string() }),
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(textOf("package.json")));

test("starts the README with a picture of the store, below 150 kB", () => {
  const [, picture = ""] = /^# .+\n\n!\[[^\]]+\]\(([^)]+)\)/.exec(readme) ?? [];
  expect(statSync(path.join(projectFolder, picture)).size).toBeLessThan(150_000);
  expect(picture).toMatch(/\.webp$/);
});

test("every variable of server/platform/env.ts is documented, once", () => {
  expect(keys.length).toBeGreaterThan(20);
  expect(listSettings().map(({ name }) => name)).toEqual(keys);
  const names = documented.map(({ name }) => name);
  expect(keys.filter((key) => !names.includes(key))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("no variable is documented that nothing reads", () => {
  expect(documented.filter(({ name }) => ![...keys, ...elsewhere].includes(name))).toEqual([]);
});

test("those said to be required are the ones without which the store does not start", () => {
  const required = documented.filter(({ standard }) => standard === "required").map(({ name }) => name);
  expect(required.sort()).toEqual(problemsOf({}).sort());
});

test("a default that is written down as a number is the one that counts", () => {
  const numbers = documented.filter(({ name, standard }) => keys.includes(name) && /^\d+$/.test(standard));
  expect(numbers.length).toBeGreaterThan(10);
  const fallbacks = new Map(listSettings().map(({ name, fallback }) => [name, fallback]));
  expect(numbers.filter(({ name, standard }) => fallbacks.get(name) !== standard)).toEqual([]);
});

test(".env.example is what `npm run env-example` writes", () => {
  expect(textOf(".env.example")).toBe(envExample(settings));
});

test(".env.example left as it is names every required variable, and states defaults that change nothing", () => {
  const lines = [...textOf(".env.example").matchAll(/^(# )?([A-Z][A-Z0-9_]+)="?([^"\n]*)"?$/gm)];
  const pairs = (comment: boolean) =>
    Object.fromEntries(
      lines
        .filter(([, mark]) => (mark !== undefined) === comment)
        .map(([, , name = "", value = ""]) => [name, value]),
    );
  const [empty, defaults] = [pairs(false), pairs(true)];
  expect(Object.values(empty).every((value) => value === "")).toBe(true);
  expect([...new Set(problemsOf(empty))].sort()).toEqual(problemsOf({}).sort());

  const sandbox: Record<string, string | undefined> = sandboxEnvironment({
    port: 3000,
    sandboxPort: 3100,
    smtpPort: 3101,
    databaseUrl: "postgres://localhost/store",
    dataDir: ".data",
    secrets: createSecrets(),
  });
  const filledIn = Object.fromEntries(
    Object.keys(empty).map((name) => [name, sandbox[name] ?? sandbox[name.replace(/S$/, "")]]),
  );
  const [country] = countryCodes;
  const names = country === undefined ? [] : Object.values(razorpaySettingsOf(country));
  const account = Object.fromEntries(names.map((name) => [name, sandbox[name]]));
  expect(readEnv({ ...filledIn, ...defaults, ...account })).toEqual(readEnv({ ...filledIn, ...account }));
});

test("every command is one of package.json, and the documents mention every script a person runs", () => {
  const { scripts } = manifest;
  const named = documents.flatMap(({ text }) =>
    [...text.matchAll(/(?:^|`|&& )npm (?:run )?([a-z0-9:-]+)/gm)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  const ofNpm = ["ci", "prune"];
  expect(named.filter((name) => !ofNpm.includes(name) && scripts[name] === undefined)).toEqual([]);
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
});

test("every dependency is named but for types, and none that is gone", () => {
  const wanted = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  const named = [...textOf("docs/dependencies.md").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.sort()).toEqual(wanted.filter((name) => !name.startsWith("@types/")).sort());
});

test("every link of a document leads to a file, and to a heading where it names one", () => {
  const broken = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^https?:/.test(link)) return [];
      const [target = "", heading] = link.split("#");
      const to = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
      if (!existsSync(path.join(projectFolder, to))) return [`${file}: ${link}`];
      return heading === undefined || headingsOf(textOf(to)).includes(heading) ? [] : [`${file}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every file and folder a document names exists", () => {
  const named = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/[` ]((?:app|server|db|migrations|tests|docs|public)\/[\w./-]*)(?=[` ])/g)].map(
      ([, name = ""]) => ({ file, name }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !existsSync(path.join(projectFolder, name)))).toEqual([]);
});

test("the map has every folder of the first two levels, and the files it names beside them", () => {
  const [, map = ""] = /^## Where things are\n\n```\n(.+?)\n```/ms.exec(textOf("docs/architecture.md")) ?? [];
  const mapped = [...map.matchAll(/^\s*([a-z][\w-]*\/)\s/gm)].map(([, folder = ""]) => folder);
  const folders = new Set(
    ["app", "server", "db", "sandbox", "tests"].flatMap((top) =>
      filesUnder(top, /\.[mc]?[jt]sx?$/).flatMap((file) => {
        const [, folder, rest] = file.split("/");
        return rest === undefined ? [] : [`${folder}/`];
      }),
    ),
  );
  expect([...folders].filter((folder) => !mapped.includes(folder))).toEqual([]);

  let top = "";
  const missing = map.split("\n").filter((line) => {
    const [, indent = "", name = ""] = /^( *)(\S+)/.exec(line) ?? [];
    if (indent === "") top = name;
    const place = indent === "" ? name : path.join(top, name);
    return !existsSync(path.join(projectFolder, place));
  });
  expect(missing).toEqual([]);
});

test("a term of the glossary is where it is said to be, and stands there once", () => {
  const rows = [...textOf("docs/glossary.md").matchAll(/^\| ([^|]+) \| [^|]+ \| (.+) \|$/gm)]
    .map(([, term = "", place = ""]) => ({ term: term.trim(), place }))
    .filter(({ term }) => term !== "Term" && !term.startsWith("-"));
  expect(rows.length).toBeGreaterThan(50);
  const terms = rows.map(({ term }) => term);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  const wrong = rows.flatMap(({ term, place }) =>
    [...place.matchAll(/`(\w+)` in `([^`]+)`/g)]
      .filter(([, name = "", file = ""]) => !new RegExp(`\\b${name}\\b`).test(textOf(file)))
      .map(([text]) => `${term}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

test("README is one screen, and has the demo login that works", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(70);
  expect(readme).toContain(`\`${demoEmails.owner}\``);
  expect(readme).toContain(`\`${demoEmails.viewer}\``);
  expect(readme).toContain(`\`${demoPassword}\``);
});

test("editors and version managers are told what the formatter and package.json say", () => {
  const { formatter } = z
    .object({ formatter: z.object({ indentStyle: z.string(), indentWidth: z.int(), lineWidth: z.int() }) })
    .parse(JSON.parse(textOf("biome.json")));
  const editor = Object.fromEntries(
    textOf(".editorconfig")
      .split("\n")
      .map((line) => line.split(" = ")),
  );
  expect(editor.indent_style).toBe(formatter.indentStyle);
  expect(Number(editor.indent_size)).toBe(formatter.indentWidth);
  expect(Number(editor.max_line_length)).toBe(formatter.lineWidth);
  const [, oldest] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
  expect(Number(textOf(".nvmrc"))).toBeGreaterThanOrEqual(Number(oldest));
});

/** As GitHub names them in addresses. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The names readEnv complains of. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    readEnv(environment);
  } catch (error) {
    return [...String(error).matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, name = ""]) => name);
  }
  throw new Error("An environment that lacks settings was accepted");
}
