/**
 * No server code reaches browsers. The build refuses a page that would import it, shown on copies of the tree that contain only a
 * probe page; and the bundle of the real pages contains nothing that is specific to the server.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildIfNeeded } from "#sandbox/local/install.mjs";
import { brand } from "#server/foundation/brand.ts";
import { projectFolder, type RunResult, run } from "#tests/support/tree.ts";

const scratch = mkdtempSync(path.join(tmpdir(), "hubs-bundle-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Builds the browser bundle of a copy of the tree whose only page is the probe. */
async function build(name: string, probe: string): Promise<RunResult & { folder: string }> {
  const folder = path.join(scratch, name);
  for (const part of [
    "app",
    "server",
    "db",
    "migrations",
    "public",
    "package.json",
    "remix.config.js",
    "tsconfig.json",
  ]) {
    cpSync(path.join(projectFolder, part), path.join(folder, part), { recursive: true });
  }
  symlinkSync(path.join(projectFolder, "node_modules"), path.join(folder, "node_modules"), "dir");
  writeFileSync(path.join(folder, "app/pages/probe.tsx"), probe);
  const routes =
    'import { route } from "@remix-run/route-config";\nexport default [route("probe", "pages/probe.tsx")];\n';
  writeFileSync(path.join(folder, "app/routes.ts"), routes);
  return {
    ...(await run("vite", ["build", "--config", "remix.config.js", "--minify", "false"], folder)),
    folder,
  };
}

/** Returns a page that renders the imported name. */
const showing = (name: string, from: string) =>
  `import { ${name} } from "${from}";\nexport default function Probe() {\n  return <p>{String(${name})}</p>;\n}\n`;

test.each([
  ["server, by name", showing("brand", "#server/foundation/brand.ts"), "server/foundation/brand.ts"],
  ["db, by path", showing("parseId", "../../db/ids.ts"), "db/ids.ts"],
  [
    "migrations",
    showing("up", "../../migrations/2026-11-20T01-accounts.ts"),
    "migrations/2026-11-20T01-accounts.ts",
  ],
])("fails the build for a component that uses %s", async (name, probe, denied) => {
  const { code, output } = await build(name.replaceAll(/\W+/g, "-"), probe);
  expect(code, output).not.toBe(0);
  expect(output).toContain("[vite-env-only] Import denied");
  expect(output).toContain(`Resolved: ${denied}`);
});

test("keeps server code that a loader uses out of the browser's bundle", async () => {
  const probe = [
    'import { brand } from "#server/foundation/brand.ts";',
    "export const loader = () => ({ name: brand.supportEmail });",
    'export default () => <p title="kept in the browser" />;',
  ].join("\n");
  const { code, output, folder } = await build("loader", probe);
  expect(code, output).toBe(0);
  const client = bundle(folder, "client");
  expect(client).toContain("kept in the browser");
  expect(client).not.toContain(brand.supportEmail);
});

function bundle(folder: string, part: "client" | "server"): string {
  const built = path.join(folder, "build", part);
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|map|json|html)$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** Strings in the server's bundle: names of secrets, a package, SQL, texts of the domain. */
const serverOnly = [
  "SESSION_SECRET",
  "ENCRYPTION_KEY",
  "RAZORPAY_KEY_SECRET",
  "PARTNER_CLIENT_SECRET_IN",
  "DATABASE_URL",
  "process.env",
  "@node-rs/argon2",
  "graphile-worker",
  "nodemailer",
  "kysely",
  "password_hash",
  "pg_advisory",
  "ciphertext",
  "createHmac",
  "node:crypto",
];

beforeAll(buildIfNeeded);

test("contains nothing that is specific to the server", () => {
  const server = bundle(projectFolder, "server");
  const client = bundle(projectFolder, "client");
  expect(client.length).toBeGreaterThan(100_000);
  // A string missing from the server's bundle would prove nothing about the browser's.
  const meaningful = serverOnly.filter((word) => server.includes(word));
  expect(meaningful.length).toBeGreaterThanOrEqual(10);
  expect(serverOnly.filter((word) => client.includes(word))).toEqual([]);
  expect(client).not.toMatch(/\/\/# sourceMappingURL/);
});
