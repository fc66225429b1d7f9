/**
 * `npm run env-example`: writes .env.example, the template with every setting. Names and defaults come from server/platform/env.ts,
 * texts and order from docs/operate/settings.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { listSettings } from "#server/platform/settings/list.ts";
import { projectFolder } from "../built-commands.mjs";

/** Read by remix-serve, and therefore not by server/platform/env.ts. */
const readByServer = [
  { name: "PORT", fallback: "3000" },
  { name: "HOST", fallback: "0.0.0.0" },
];

const head = `# Settings of a production process. Give the empty ones a value; the others show their default.
# Written by \`npm run env-example\`; docs/operate/settings.md says more.
`;

/** Formats a value so that a shell, systemd and Compose read it alike. */
function quoted(value: string): string {
  return /^[\w./:,-]*$/.test(value) ? value : `"${value}"`;
}

/** @param settings the text of docs/operate/settings.md */
export function envExample(settings: string): string {
  const known = new Map([...listSettings(), ...readByServer].map(({ name, fallback }) => [name, fallback]));
  const sections = settings
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const rows = [...section.matchAll(/^\| `([A-Z0-9_]+)` +\| [^|]+ \| ([^|]+) \|$/gm)];
      const lines = rows.flatMap(([, name = "", meaning = ""]) => {
        const fallback = known.get(name);
        if (fallback === undefined) return [];
        const line = fallback === null ? `${name}=` : `# ${name}=${quoted(fallback)}`;
        return [`# ${meaning.trim().replaceAll("`", "")}`, line];
      });
      const [title = ""] = section.split("\n");
      return lines.length === 0 ? [] : [["", `## ${title}`, ...lines, ""].join("\n")];
    });
  return head + sections.join("");
}

if (import.meta.filename === process.argv[1]) {
  const settings = readFileSync(path.join(projectFolder, "docs/operate/settings.md"), "utf8");
  writeFileSync(path.join(projectFolder, ".env.example"), envExample(settings));
}
