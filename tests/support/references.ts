/** References in a text: to documents of the project, their headings and numbered sections, and its source files. */
import { existsSync } from "node:fs";
import path from "node:path";
import { projectFolder, textOf } from "./tree.ts";

/** A comment as one line, without the prefixes of its lines. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ");
}

/** The anchor of a heading (after "#"), as GitHub generates it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) => heading);
}

/** @param section "5" or "5.2", the start of a heading: "## 5. Validation", "### 5.2 Words" */
function hasSection(markdown: string, section: string): boolean {
  return headingsOf(markdown).some((heading) => heading.split(" ")[0]?.replace(/\.$/, "") === section);
}

/** After a document: "#heading", or ", section 5", ", sections 3 and 7". */
const where = String.raw`(#[\w-]+)?(?:\)?, sections? (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)*)*))?`;
const document = new RegExp(String.raw`(?<![\w./-])(docs/(?:[\w./-]*[\w/])?)${where}`, "g");
const link = new RegExp(String.raw`\]\((?!\w+:)([^)#\s]*)(?=[#)])${where}`, "g");
const sourceFile = /`((?:app|server|db|migrations|tests|public)\/[\w./-]*)`/g;

/** @returns the problem of one reference; null when its target exists */
function problemWith(target: string, fragment = "", sections = ""): string | null {
  const file = path.join(projectFolder, target);
  if (!existsSync(file)) return `${target} does not exist`;
  if (fragment === "" && sections === "") return null;
  const markdown = textOf(target);
  if (fragment !== "" && !headingsOf(markdown).some((heading) => `#${slugOf(heading)}` === fragment))
    return `${target} has no heading ${fragment}`;
  const missing = (sections.match(/\d+(?:\.\d+)*/g) ?? []).find((section) => !hasSection(markdown, section));
  return missing === undefined ? null : `${target} has no section ${missing}`;
}

/**
 * The broken references of a text.
 * @param file of the text, from which a Markdown file's links are resolved
 */
export function deadReferences(file: string, text: string): string[] {
  const read = unwrapped(text);
  const isMarkdown = file.endsWith(".md");
  const targets = [...read.matchAll(document)].map(
    ([, target = "", fragment, sections]) => [target, fragment, sections] as const,
  );
  const links = isMarkdown
    ? [...read.matchAll(link)].map(([, target = "", fragment, sections]) => {
        const resolved = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
        return [resolved, fragment, sections] as const;
      })
    : [];
  const sources = isMarkdown
    ? [...read.matchAll(sourceFile)].map(([, target = ""]) => [target, undefined, undefined] as const)
    : [];
  return [...targets, ...links, ...sources]
    .map((reference) => problemWith(...reference))
    .filter((problem) => problem !== null);
}

/** Names in capitals refer to papers that the project does not contain; their content is under docs/. */
const papers = ["spec", "design", "providers", "facts", "findings"].map((name) => name.toUpperCase());
const citation = new RegExp(String.raw`\b(?:${papers.join("|")})\b|\brulings? \d`, "gi");

/** Citations in a text that nobody can look up. */
export function citationsIn(text: string): string[] {
  return [...unwrapped(text).matchAll(citation)]
    .map(([found]) => found)
    .filter((found) => found.toLowerCase().startsWith("ruling") || papers.includes(found));
}
