/** The sandbox's few pages: a template tag that escapes its values, and the frame they share. */

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** Escapes every value, except markup made by this same tag. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, index) => text + render(parts[index])).join(""));
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map((each) => each.text).join("");
  return escapeHtml(String(part));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** JSON that cannot end the script element that contains it. */
export function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

const styles = `
:root { color-scheme: light dark; --ink: #1c2230; --ground: #f5f4f1; --card: #fff; --line: #8a8f9c; --brand: #17457c; --on-brand: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef2; --ground: #14171d; --card: #1e232c; --line: #7d8594; --brand: #9cc4f5; --on-brand: #10151d; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border-radius: .75rem; overflow-wrap: anywhere; }
main.wide { max-width: 60rem; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.25; }
p { margin: .5rem 0; }
a { color: var(--brand); }
.note { margin: 0 0 1rem; font-size: .875rem; }
.amount { margin: 0 0 1rem; font-size: 2rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.failed { padding: .5rem .75rem; border: 2px solid currentcolor; border-radius: .5rem; }
fieldset { margin: 0 0 1rem; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
.choice { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; }
.choice:has(:disabled) { opacity: .6; }
.field { display: block; margin: 0 0 1rem; }
.field input { display: block; width: 100%; min-height: 2.75rem; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); color: var(--ink); font: inherit; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
.button { flex: 1 0 auto; display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.25rem;
  border: 2px solid var(--brand); border-radius: .5rem; background: none; color: var(--brand); font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer; }
.main { background: var(--brand); color: var(--on-brand); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
pre { white-space: pre-wrap; font: inherit; }
iframe { display: block; width: 100%; height: 48rem; border: 1px solid var(--line); }
@media (max-width: 40rem) {
  body { padding: 0; }
  main { padding: 1rem; border-radius: 0; }
  .mails thead { display: none; }
  .mails tr, .mails td { display: block; }
  .mails td { padding: 0; border: 0; }
  .mails tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  iframe { width: calc(100% + 2rem); margin: 0 -1rem; border-width: 1px 0; }
}
`;

export function page(options: { title: string; wide?: boolean; body: Markup }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${options.title}</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<main class="${options.wide === true ? "wide" : "narrow"}">
${options.body}
</main>
</body>
</html>
`.text;
}
