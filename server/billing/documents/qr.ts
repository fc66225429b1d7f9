/** A QR code as an SVG path, drawn alike by pages and PDFs. */
import { create } from "qrcode";

export interface QrCode {
  /** Width and height in squares, including the white border of four that readers need. */
  size: number;
  /** An SVG path of its dark squares, one unit each. */
  path: string;
}

const border = 4;

/** Encodes a text. @throws Error for more than 2,953 characters, which no QR code holds */
export function qrOf(text: string): QrCode {
  // A signed text is long: a higher error correction level would make the squares too small to print.
  const { size, data } = create(text, { errorCorrectionLevel: "L" }).modules;
  const parts: string[] = [];
  for (let row = 0; row < size; row += 1) {
    let column = 0;
    while (column < size) {
      const start = column;
      while (column < size && data[row * size + column] === 1) column += 1;
      if (column > start)
        parts.push(`M${start + border} ${row + border}h${column - start}v1h${start - column}z`);
      column += 1;
    }
  }
  return { size: size + 2 * border, path: parts.join("") };
}
