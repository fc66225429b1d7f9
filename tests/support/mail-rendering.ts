/** Renders mails as they are sent, from a test seller. */
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { type MailContent, type RenderedMail, renderMail, type Sender } from "#server/mail/layout.ts";

export const sender: Sender = {
  name: "Hubs Private Limited",
  addressLines: ["15 Residency Road", "Bengaluru 560025"],
  gstin: "29AABCH9876K1ZR",
  phone: "+91 00000 00102",
};

export function renderTestMail(content: MailContent, language: LanguageId = "en"): RenderedMail {
  return renderMail(content, language, sender);
}

/** HTML as visible text: without tags, with character references decoded. */
export function toVisibleText(html: string): string {
  return html
    .replace(/<(style|title)>.*?<\/\1>/gs, "")
    .replace(/<div style="display:none.*?<\/div>/s, "")
    .replace(/<wbr>|<\/?a\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}
