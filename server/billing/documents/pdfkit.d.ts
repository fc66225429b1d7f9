/**
 * Missing from pdfkit's types: fontkit also accepts a table that switches font features on and off, and registerFont
 * accepts an opened font.
 */
declare namespace PDFKit.Mixins {
  interface PDFFont {
    registerFont(name: string, font: import("fontkit").Font): this;
  }
  interface FeatureOptions {
    features?: Readonly<Record<string, boolean>>;
  }
  interface PDFText {
    widthOfString(text: string, options: FeatureOptions): number;
    text(
      text: string,
      x: number,
      y: number,
      options: FeatureOptions & { lineBreak: false; baseline: "alphabetic" },
    ): this;
  }
}
