/**
 * The fonts of a PDF: Noto Sans for Latin, Greek, Cyrillic and Devanagari with the rupee sign, and its variants for the other
 * scripts of India. Other scripts print as empty boxes. Fonts are opened on first use and cached, because parsing one blocks
 * the process for longer than the rest of an invoice.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

export type Weight = "regular" | "bold";

/** A part of a line in a single font. */
export interface Run {
  text: string;
  font: string;
}

const { resolve } = createRequire(import.meta.url);

const base = "latin";
const baseFiles: Record<Weight, string> = {
  regular: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  bold: "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf",
};

/** Unicode gives each of these scripts a block of 128 code points. */
const scripts: readonly { name: string; from: number }[] = [
  { name: "bengali", from: 0x0980 },
  { name: "gurmukhi", from: 0x0a00 },
  { name: "gujarati", from: 0x0a80 },
  { name: "oriya", from: 0x0b00 },
  { name: "tamil", from: 0x0b80 },
  { name: "telugu", from: 0x0c00 },
  { name: "kannada", from: 0x0c80 },
  { name: "malayalam", from: 0x0d00 },
];

/** Zero-width (non-)joiners and the dotted circle affect the letters next to them, so they stay in the same run. */
const joiners = [0x200c, 0x200d, 0x25cc];

const kept = new Map<string, Font>();

/** Opens a font, or returns the cached one. @param font the font of a run */
export function openedFont(font: string, weight: Weight): Font {
  const key = `${font} ${weight}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const file =
    font === base
      ? baseFiles[weight]
      : `@fontsource/noto-sans-${font}/files/noto-sans-${font}-${font}-${weight === "bold" ? 700 : 400}-normal.woff`;
  const opened = create(readFileSync(resolve(file)));
  if (!("layout" in opened)) throw new TypeError(`${file} holds more than one font`);
  kept.set(key, opened);
  return opened;
}

/** Splits a line where its font changes. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const code = character.codePointAt(0) ?? 0;
    const font =
      last !== undefined && joiners.includes(code)
        ? last.font
        : (scripts.find(({ from }) => code >= from && code < from + 128)?.name ?? base);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}
