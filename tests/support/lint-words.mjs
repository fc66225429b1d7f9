/**
 * `npm run lint:words`: refuses the phrases that our style guide rules out, in lines added since the merge base and in the subjects of
 * the commits that added them. Commits listed in `.git-blame-ignore-revs` only rename or reformat, so their lines do not count.
 *
 * The base is the merge base with `origin/main`, or with `main`; `LINT_BASE` names another commit. Plain JavaScript and git only.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const ignoreFile = ".git-blame-ignore-revs";
const folders = ["app", "server", "db", "sandbox", "tests", "docs", "README.md"];
/** Texts that keep words of others: the specification, other languages, legal texts, and this list of phrases itself. */
const exempt =
  /^(docs\/specification\.md|docs\/CHANGELOG\.md|server\/foundation\/languages\/(hindi\/|english\/(legal|endorsements))|tests\/(support\/lint-words\.mjs|unit\/platform\/lint-words\.test\.ts)$)/;

/** Each phrase with what to write in its place. @type {[RegExp, string][]} */
const phrases = [
  [/\banew\b/i, "again, a new …, re-"],
  [/\bwho(m)?(so)?ever\b/i, "the user, anyone who, the caller"],
  [/(?<!let )(?<!leaves? )(?<!left )(?<!leaving )(?<!them )\balone\b/i, "only"],
  [/\b(is|are|was|were|be|been|being) told\b(?! apart)/i, "we email, the operator is alerted, receives"],
  [
    /(?<!there )\b(is|are|was|were) no (?!longer|more\b|one\b|different|doubt|need|way|such|matter|later|less|earlier)[a-z]+/i,
    "is not a …",
  ],
  [/\bof (its|their|his|her|our|your) own\b/i, "its own …, separate"],
  [/\b(says?|said|tells?|told|speaks?) of\b/i, "says about, reports, describes"],
  [/\bstands? (in|on|there|where|beside|above|below|as|with|at|under)\b/i, "is, appears, is stored in"],
  [
    /\/\*\* (Of|To|From|By|For|In|On|With|Without|Between|Beside|Among|As|At|Under|Like) (?!example)/,
    "a verb or a noun phrase first",
  ],
  [/\/\*\* (What|Whose|Whom|Who|Where|When|Which|Until|How) /, "a verb or a noun phrase first"],
  [/\bin words\b/i, "as text, formatted, label"],
  [/\bmay not\b/i, "must not, or might not"],
  [/\bgiv(e|es|en|ing) (\w+ )?(back|free)\b/i, "refund, return; release"],
  [/\b(becomes?|became|become|came|comes?) of\b/i, "outcome of, what happened to"],
  [/\bput(s|ting)? (\w+ )?right\b|\bmend(s|ed|ing)?\b/i, "correct, fix"],
  [
    /\bin vain\b|\bwithout a word\b|\bfor good\b|\ball the same\b/i,
    "unsuccessfully; silently; permanently; still",
  ],
  [/\blook(s|ed)? after\b/i, "handles, owns"],
  [/\bso many\b(?! that)/i, "the given number of, n"],
  [
    /(^|[.:;,] |\* )who (asks?|comes?|reads?|buys?|has|had|is|was|looks?|signs?|pays?|orders?|sells?|runs?|takes?|knows?|finds?)\b/,
    "the buyer who …, anyone who …",
  ],
  [
    /\bwhat (is|was|are|were) (asked|said|told|shown|kept|made|meant|left|typed|paid|bought|sold|held|known|read|there)\b/i,
    "name the thing: the input, the stored row",
  ],
  [/\bgoes on by itself\b|\bnothing of\b/i, "continues automatically; none of"],
];
const goodTitle = /^(?!is\b|has\b)(does not|[a-z]+s) /;
const imperatives = new Set(
  `Accept Add Adjust Alert Allow Answer Apply Ask Audit Avoid Batch Bound Bring Build Bump Cache Cancel Charge Check Clean Close Collect Compare Compute Copy
  Correct Count Cover Cut Declare Delete Demand Describe Disable Divide Document Draw Drop Email Enable End Ensure Escape Exclude Expect Explain Export
  Extend Extract Fill Filter Fix Fold Follow Format Generate Give Group Guard Handle Hide Hold Ignore Import Improve Include Index Inline
  Invite Keep Lead Leave Let Limit Link Lint List Load Lock Log Look Lower Mail Make Mark Match Measure Merge Move Name Normalise Notify Offer Open Order
  Pass Pin Preload Prepare Prevent Print Promise Prove Publish Put Raise Read Rebuild Recover Redirect Reduce Refund Refuse Register
  Reject Release Remove Rename Render Reorder Repair Replace Report Require Reset Resolve Restore Retry Return Reuse Revert Reword Rewrite Rotate
  Round Run Save Say Scroll Send Separate Serve Set Share Show Simplify Skip Sort Speed Spell Split Start Stop Store Support Switch Take Tell
  Test Throw Tighten Time Trim Turn Type Unify Update Upgrade Use Validate Verify Wait Warn Widen Withdraw Wrap Write`.split(
    /\s+/,
  ),
);

/** Returns the problems of a line of a file; an empty list when it has none. @param {string} file @param {string} line */
export function problemsIn(file, line) {
  if (exempt.test(file) || line.includes("// spec")) return [];
  const text = file.endsWith(".md") ? line : proseOf(line);
  const problems = phrases
    .filter(([pattern]) => pattern.test(text))
    .map(([pattern, advice]) => `“${pattern.exec(text)?.[0].trim()}”: write ${advice}`);
  const title = /^\s*(?:test|it)(?:\.\w+)?\(\s*["'`](.+?)["'`],/.exec(line)?.[1];
  if (
    title !== undefined &&
    file.startsWith("tests/") &&
    !file.startsWith("tests/e2e/") &&
    !goodTitle.test(title)
  )
    problems.push(`title “${title}”: begin with a verb in the third person`);
  return problems;
}

/** Returns the problems of a commit's subject. @param {string} subject */
export function subjectProblems(subject) {
  const problems = [];
  if (subject.length > 72) problems.push(`${subject.length} characters: at most 72`);
  const [, first = ""] = /^(?:[\w/-]+: )?(\w+)/.exec(subject) ?? [];
  if (!imperatives.has(first[0]?.toUpperCase() + first.slice(1)))
    problems.push(`“${first}” is not an imperative that we use (tests/support/lint-words.mjs lists them)`);
  return problems;
}

/** Returns the comments and strings of a line of code. @param {string} line */
function proseOf(line) {
  if (/^\s*(\/\*\*?|\*|\/\/)/.test(line)) return line;
  const strings = [...line.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? "",
  );
  return [...strings, /\/\/ .*$|\/\*\* .*$/.exec(line)?.[0] ?? ""].join("\n");
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync("git", args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function mergeBase() {
  for (const upstream of [process.env.LINT_BASE, "origin/main", "main"].filter(
    (name) => name !== undefined,
  )) {
    try {
      return git("merge-base", "HEAD", upstream).trim();
    } catch {
      // The branch does not exist here.
    }
  }
  return git("rev-parse", "HEAD").trim();
}

/**
 * Returns the lines of a file that neither a commit before the base nor an ignored commit wrote.
 * @param {string} base @param {string} file @param {Set<string>} ignored
 */
function linesSince(base, file, ignored) {
  const ignore = existsSync(ignoreFile) ? ["--ignore-revs-file", ignoreFile] : [];
  const blamed = git("blame", "-s", "--line-porcelain", ...ignore, `^${base}`, "--", file).split("\n");
  const lines = [];
  let number = 0;
  let old = false;
  for (const line of blamed) {
    const [, hash, at] = /^([0-9a-f]{40}) \d+ (\d+)/.exec(line) ?? [];
    if (hash !== undefined) {
      number = Number(at);
      // Lines that an ignored commit added have no earlier author.
      old = ignored.has(hash);
    } else if (line === "boundary") old = true;
    else if (line.startsWith("\t") && !old) lines.push({ number, text: line.slice(1) });
  }
  return lines;
}

function main() {
  const base = mergeBase();
  const ignored = new Set(
    existsSync(ignoreFile)
      ? readFileSync(ignoreFile, "utf8")
          .split("\n")
          .filter((line) => /^[0-9a-f]{40}$/.test(line))
      : [],
  );
  const found = [];
  for (const entry of git("log", "--format=%H %s", `${base}..HEAD`).split("\n").filter(Boolean)) {
    const [hash = "", subject = ""] = [entry.slice(0, 40), entry.slice(41)];
    if (!ignored.has(hash))
      found.push(...subjectProblems(subject).map((why) => `${hash.slice(0, 8)} ${subject}\n  ${why}`));
  }
  const changed = git("diff", "--name-only", "--diff-filter=AMR", base, "--", ...folders).split("\n");
  const files = changed.filter((file) => /\.(ts|tsx|mjs|js|md)$/.test(file));
  for (const file of files)
    for (const { number, text } of linesSince(base, file, ignored))
      found.push(...problemsIn(file, text).map((why) => `${file}:${number} ${why}`));
  for (const problem of found) console.error(problem);
  console.log(
    `${files.length} changed files read: ${found.length === 0 ? "no phrase to rewrite" : `${found.length} to rewrite`}`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
