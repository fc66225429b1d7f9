/** Checks the documents against the code: settings, commands, files, folders, packages, the demo login. */
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
/** Fixed keys of the settings schema. */
const fixed = [...textOf("server/platform/settings/schema.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(
  ([, key = ""]) => key,
);
/** Fixed keys, and the keys of each partner account, payment provider, identity provider and seller. */
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
/** Variables read outside server/platform/env.ts: by Remix's server, `npm start` or `npm test`. */
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

test("documents every setting of server/platform/env.ts once", () => {
  expect(keys.length).toBeGreaterThan(20);
  expect(listSettings().map(({ name }) => name)).toEqual(keys);
  const names = documented.map(({ name }) => name);
  expect(keys.filter((key) => !names.includes(key))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("documents no variable that nothing reads", () => {
  expect(documented.filter(({ name }) => ![...keys, ...elsewhere].includes(name))).toEqual([]);
});

test("marks as required exactly the settings without which the store does not start", () => {
  const required = documented.filter(({ standard }) => standard === "required").map(({ name }) => name);
  expect(required.sort()).toEqual(problemsOf({}).sort());
});

test("documents numeric defaults as they are in the code", () => {
  const numbers = documented.filter(({ name, standard }) => keys.includes(name) && /^\d+$/.test(standard));
  expect(numbers.length).toBeGreaterThan(10);
  const fallbacks = new Map(listSettings().map(({ name, fallback }) => [name, fallback]));
  expect(numbers.filter(({ name, standard }) => fallbacks.get(name) !== standard)).toEqual([]);
});

test("matches .env.example with the output of `npm run env-example`", () => {
  expect(textOf(".env.example")).toBe(envExample(settings));
});

test("names every required setting in .env.example and comments only defaults", () => {
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

test("documents every script, and mentions no script that does not exist", () => {
  const { scripts } = manifest;
  const named = documents.flatMap(({ text }) =>
    [...text.matchAll(/(?:^|`|&& )npm (?:run )?([a-z0-9:-]+)/gm)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  const ofNpm = ["ci", "prune"];
  expect(named.filter((name) => !ofNpm.includes(name) && scripts[name] === undefined)).toEqual([]);
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
});

test("lists every dependency except types in docs/dependencies.md", () => {
  const wanted = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  const named = [...textOf("docs/dependencies.md").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.sort()).toEqual(wanted.filter((name) => !name.startsWith("@types/")).sort());
});

test("links only to files and headings that exist", () => {
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

test("names only files and folders that exist", () => {
  const named = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/[` ]((?:app|server|db|migrations|tests|docs|public)\/[\w./-]*)(?=[` ])/g)].map(
      ([, name = ""]) => ({ file, name }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !existsSync(path.join(projectFolder, name)))).toEqual([]);
});

test("maps every folder of the first two levels, and only existing paths", () => {
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

test("lists each glossary term once, in a file that has its name", () => {
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

test("keeps the README to one screen, with a demo login that works", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(70);
  expect(readme).toContain(`\`${demoEmails.owner}\``);
  expect(readme).toContain(`\`${demoEmails.viewer}\``);
  expect(readme).toContain(`\`${demoPassword}\``);
});

test("gives editors the formatter's settings and a supported Node version", () => {
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

/** Lists the anchors of a document's headings, as GitHub generates them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** Names of the settings that `readEnv` refuses. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    readEnv(environment);
  } catch (error) {
    return [...String(error).matchAll(/^ {2}([A-Z][A-Z0-9_]*): /gm)].map(([, name = ""]) => name);
  }
  throw new Error("Expected readEnv to refuse an incomplete environment");
}
