/**
 * The layout of all mails: renders a letter's data as HTML and as plain text with the same content. Mail programs support tables
 * and inline styles, so the HTML uses only those; classes add the dark theme for programs that read them.
 */

import type { Country } from "#db/tables/enums.ts";
import { brand } from "#server/foundation/brand.ts";
import { type LanguageId, languages } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import type { Attachment } from "#server/integrations/smtp.ts";

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  attachments: readonly Attachment[];
}

export interface ContentRow {
  label: string;
  value: string;
}

export interface MailButton {
  label: string;
  link: string;
}

/** Content of a mail, without its layout. */
export interface MailContent {
  /** Also the heading of the mail. */
  subject: string;
  /** Preview that a mailbox's list shows after the subject. Contains no secrets, and nothing that the mail does not repeat. */
  preheader: string;
  paragraphs: readonly string[];
  /** Button for the next step. */
  button?: MailButton | undefined;
  /** Paragraphs after the button, such as how long its link works. */
  afterwards?: readonly string[];
  /** Values for the reader to copy: a sign-in name, a code. */
  facts?: readonly ContentRow[];
  /** The reader's next tasks, in order. */
  tasks?: { title: string; all: readonly string[] };
  /** Lines that add up to the amount. */
  bill?: readonly ContentRow[];
  /** Highlighted figure. */
  amount?: ContentRow | undefined;
  attachments?: readonly Attachment[];
  /** Shown last, less prominently. */
  aside?: MailButton | undefined;
  /** Address at which the reader stops mails of this kind; only for optional mails. */
  unsubscribe?: string | undefined;
  orderNumber?: string | undefined;
  /** Country whose seller signs; left out for an order's mail, or for the standard country. */
  country?: Country;
  /** Hides the advice to write to support, which the operator may be. */
  isToOperator?: boolean;
}

/** The seller of the country and its phone, for the signature. */
export interface Sender {
  name: string;
  addressLines: readonly string[];
  gstin: string | null;
  phone: string | null;
}

export function renderMail(letter: MailContent, language: LanguageId, sender: Sender): RenderedMail {
  const content = { ...letter, subject: withoutCapitals(letter.subject) };
  const words = wordsOf(content, language, sender);
  return {
    subject: shortened(content.subject),
    text: plainText(content, words),
    html: html(content, words, language),
    attachments: content.attachments ?? [],
  };
}

/**
 * Lowers capitals, in which company names are registered and which mail filters take for shouting. Abbreviations and codes keep
 * theirs.
 */
function withoutCapitals(subject: string): string {
  return subject.replaceAll(
    /(?<![\p{L}\p{N}])\p{Lu}{5,}(?![\p{L}\p{N}])/gu,
    (word) => word.slice(0, 1) + word.slice(1).toLowerCase(),
  );
}

/** Mailbox lists cut a longer subject off, or break it into several lines on a phone. */
const maxSubject = 70;

/** Cuts a subject between words, or within a domain, whose beginning identifies it. The mail's heading stays whole. */
function shortened(subject: string): string {
  const letters = [...subject];
  if (letters.length <= maxSubject) return subject;
  const kept = letters.slice(0, maxSubject - 1).join("");
  return `${kept.replace(/[\s,:]+[^\s.@]{0,25}$/u, "")}…`;
}

/** Texts that the layout adds to every letter. */
interface Words {
  /** Text before the link's address, for a reader whose button does not work. */
  address: string;
  number: string | null;
  support: string[];
  /** Phone number in it, linked for a tap. */
  phone: string | null;
  /** Stops mails like this one. */
  stop: MailButton | undefined;
  legal: string[];
}

function wordsOf(content: MailContent, language: LanguageId, sender: Sender): Words {
  const { orderNumber, isToOperator = false, unsubscribe } = content;
  const text = textIn(language);
  const { name, addressLines, gstin, phone } = sender;
  const email = brand.supportEmail;
  const questions =
    phone === null ? text("mail.questionsByMail", { email }) : text("mail.questions", { email, phone });
  return {
    address: text("mail.address"),
    number: orderNumber === undefined ? null : text("mail.order", { number: orderNumber }),
    support: isToOperator ? [] : [`${questions} ${text("mail.neverAsk")}`],
    phone,
    stop: unsubscribe === undefined ? undefined : { label: text("mail.stopThese"), link: unsubscribe },
    legal: [[name, ...addressLines].join(", "), ...(gstin === null ? [] : [`GSTIN ${gstin}`])],
  };
}

function plainText(content: MailContent, words: Words): string {
  const { paragraphs, facts = [], tasks, bill = [], amount, button, afterwards = [], aside } = content;
  const rows = (all: readonly ContentRow[]) => all.map(({ label, value }) => `${label}: ${value}`).join("\n");
  const address = (action: MailButton | undefined) =>
    action === undefined ? [] : [`${action.label}: ${inWords(action.link)}`];
  const blocks = [
    ...paragraphs,
    rows(facts),
    tasks === undefined ? "" : [tasks.title, ...numberedTasks(tasks.all)].join("\n"),
    ...address(button),
    ...afterwards,
    rows(amount === undefined ? bill : [...bill, amount]),
    ...address(aside),
    words.number ?? "",
    ...words.support,
    ...address(words.stop),
    [brand.name, ...words.legal].join("\n"),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

const letters =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Nirmala UI','Noto Sans Devanagari',Arial,sans-serif";

/**
 * Colours of app/styles/tokens.css: inline for the light theme, by class for the dark. tests/unit/orders/mail-layout.test.ts
 * compares them.
 */
export const colours = {
  ground: { property: "background-color", token: "ground", light: "#faf7f1", dark: "#10171b" },
  surface: { property: "background-color", token: "surface", light: "#ffffff", dark: "#182126" },
  edge: { property: "border-color", token: "line", light: "#e3dccf", dark: "#303c44" },
  ink: { property: "color", token: "ink", light: "#14232c", dark: "#eef2f4" },
  soft: { property: "color", token: "soft", light: "#50606a", dark: "#a9b7bf" },
  brand: { property: "color", token: "brand", light: "#14506e", dark: "#8ccbea" },
  press: { property: "background-color", token: "brand", light: "#14506e", dark: "#8ccbea" },
  pressed: { property: "color", token: "brand-ink", light: "#ffffff", dark: "#07202d" },
  panel: { property: "background-color", token: "deep", light: "#0d3b52", dark: "#0e394e" },
  figure: { property: "color", token: "deep-ink", light: "#ffffff", dark: "#ffffff" },
  label: { property: "color", token: "deep-soft", light: "#b9d2de", dark: "#b3cedb" },
} as const;

type Colour = keyof typeof colours;

const darkStyles = Object.entries(colours)
  .map(([name, { property, dark }]) => `.${name}{${property}:${dark}!important}`)
  .join("");

/** Returns an element's classes and styles as attributes. */
function look(names: readonly Colour[], style: string): string {
  const light = names.map((name) => `${colours[name].property}:${colours[name].light}`);
  return `class="${names.join(" ")}" style="${[...light, style].join(";")}"`;
}

/** Sets the background as an attribute too, for mail programs that ignore it in a style. */
function ground(name: Colour): string {
  return `bgcolor="${colours[name].light}"`;
}

const table = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"`;

function html(content: MailContent, words: Words, language: LanguageId): string {
  const { subject, preheader } = content;
  return `<!doctype html>
<html lang="${languages[language].locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkStyles}}@media (max-width:480px){.card{padding:24px 20px 8px!important}}</style></head>
<body ${look(["ground"], "margin:0;padding:0")}>
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}${"&#847;&#8204;&#160;".repeat(40)}</div>
${table} width="100%" ${ground("ground")} ${look(["ground"], "width:100%")}><tr><td align="center" style="padding:24px 12px">
${table} width="600" style="width:100%;max-width:600px">
<tr><td align="left" style="padding:0 4px 16px">${wordmark()}</td></tr>
<tr><td align="left" ${ground("surface")} class="surface edge card" style="background-color:${colours.surface.light};border:1px solid ${colours.edge.light};border-radius:16px;padding:28px 32px 12px">
${[heading(subject), ...bodyOf(content, words)].join("\n")}
</td></tr>
<tr><td align="left" style="padding:20px 8px 0">${[...words.support.map((line) => footLine(callable(line, words))), ...(words.stop === undefined ? [] : [footLine(footLink(words.stop))]), footLine(words.legal.map(escapeHtml).join("<br>"))].join("")}</td></tr>
</table></td></tr></table></body></html>
`;
}

function footLink({ label, link }: MailButton): string {
  return `<a href="${escapeHtml(link)}" ${look(["soft"], "text-decoration:underline")}>${escapeHtml(label)}</a>`;
}

function bodyOf(content: MailContent, words: Words): string[] {
  const { paragraphs, facts = [], tasks, bill = [], amount, button, afterwards = [], aside } = content;
  return [
    ...paragraphs.map((words) => paragraph(words)),
    ...(facts.length === 0 ? [] : [rowsOf(facts, "overflow-wrap:anywhere")]),
    ...(tasks === undefined ? [] : [tasksOf(tasks)]),
    ...(button === undefined ? [] : [buttonOf(button), addressOf(button, words)]),
    ...afterwards.map((words) => paragraph(words)),
    ...(bill.length === 0 ? [] : [rowsOf(bill, "white-space:nowrap")]),
    ...(amount === undefined ? [] : [amountOf(amount)]),
    ...(aside === undefined ? [] : [asideOf(aside)]),
    ...(words.number === null ? [] : [small(escapeHtml(words.number))]),
  ];
}

function wordmark(): string {
  const initial = `<td width="32" height="32" align="center" bgcolor="#14506e" style="${letters};background-color:#14506e;border-radius:9px;color:#ffffff;font-size:18px;line-height:32px;font-weight:700">${escapeHtml(brand.name.slice(0, 1))}</td>`;
  return `${table}><tr>${initial}<td ${look(["ink"], `${letters};padding-left:10px;font-size:17px;font-weight:700`)}>${escapeHtml(brand.name)}</td></tr></table>`;
}

function heading(text: string): string {
  // A domain is often wider than a phone's screen.
  const words = escapeHtml(text).replace(/\.(?=\w)/g, ".<wbr>");
  return `<h1 ${look(["ink"], `${letters};margin:0 0 14px;font-size:24px;line-height:31px;font-weight:700;overflow-wrap:anywhere`)}>${words}</h1>`;
}

function paragraph(text: string): string {
  return `<p ${look(["ink"], `${letters};margin:0 0 16px;font-size:16px;line-height:25px;overflow-wrap:anywhere`)}>${escapeHtml(text)}</p>`;
}

function numberedTasks(tasks: readonly string[]): string[] {
  return tasks.map((task, at) => `${at + 1}. ${task}`);
}

function tasksOf({ title, all }: NonNullable<MailContent["tasks"]>): string {
  const lines = [title, ...numberedTasks(all)].map(escapeHtml);
  return `<p ${look(["ink"], `${letters};margin:20px 0 16px;font-size:16px;line-height:28px`)}>${lines.join("<br>")}</p>`;
}

/** @param markup already escaped */
function small(markup: string): string {
  return `<p ${look(["soft"], `${letters};margin:0 0 16px;font-size:14px;line-height:21px;overflow-wrap:anywhere`)}>${markup}</p>`;
}

function buttonOf({ label, link }: MailButton): string {
  const anchor = look(
    ["pressed"],
    `${letters};display:inline-block;padding:14px 24px;font-size:16px;line-height:20px;font-weight:700;text-decoration:none`,
  );
  return `${table} style="margin:8px 0 12px"><tr><td ${ground("press")} ${look(["press"], "border-radius:10px")}><a href="${escapeHtml(link)}" ${anchor}>${escapeHtml(label)}</a></td></tr></table>`;
}

function addressOf({ link }: MailButton, { address }: Words): string {
  return `<p ${look(["soft"], `${letters};margin:0 0 16px;font-size:13px;line-height:20px;overflow-wrap:anywhere;word-break:break-word`)}>${escapeHtml(address)}<br>${escapeHtml(inWords(link))}</p>`;
}

/** Formats a link for display: without "mailto:". */
function inWords(link: string): string {
  return link.replace(/^mailto:/, "");
}

function asideOf({ label, link }: MailButton): string {
  return small(
    `<a href="${escapeHtml(link)}" ${look(["brand"], "text-decoration:underline")}>${escapeHtml(label)}</a>`,
  );
}

/** @param wrap CSS that breaks a value too long for its column */
function rowsOf(rows: readonly ContentRow[], wrap: string): string {
  const cell = (colour: Colour, style: string) =>
    look(
      [colour, "edge"],
      `${letters};padding:10px 0;border-top-width:1px;border-top-style:solid;font-size:15px;line-height:22px;${style}`,
    );
  const lines = rows.map(
    ({ label, value }) =>
      `<tr><td align="left" ${cell("soft", "padding-right:12px")}>${escapeHtml(label)}</td><td align="right" ${cell("ink", wrap)}>${escapeHtml(value)}</td></tr>`,
  );
  return `${table} width="100%" style="margin:8px 0 0">${lines.join("")}</table>`;
}

function amountOf({ label, value }: ContentRow): string {
  const name = look(
    ["panel", "label"],
    `${letters};padding:14px 16px;border-radius:10px 0 0 10px;font-size:15px;line-height:22px`,
  );
  const figure = look(
    ["panel", "figure"],
    `${letters};padding:14px 16px;border-radius:0 10px 10px 0;font-size:22px;line-height:28px;font-weight:700;white-space:nowrap`,
  );
  return `${table} width="100%" style="margin:8px 0 16px"><tr><td align="left" ${ground("panel")} ${name}>${escapeHtml(label)}</td><td align="right" ${ground("panel")} ${figure}>${escapeHtml(value)}</td></tr></table>`;
}

/** @param markup already escaped */
function footLine(markup: string): string {
  return `<p ${look(["soft"], `${letters};margin:0 0 10px;font-size:13px;line-height:20px;overflow-wrap:anywhere`)}>${markup}</p>`;
}

function callable(text: string, { phone }: Words): string {
  const markup = escapeHtml(text);
  if (phone === null) return markup;
  const link = `<a href="tel:${phone.replaceAll(" ", "")}" ${look(["brand"], "text-decoration:underline;white-space:nowrap")}>${escapeHtml(phone)}</a>`;
  return markup.replace(escapeHtml(phone), link);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
