/**
 * What pdfkit's types leave out: fontkit also takes a table that says which features of a font are on and off, and a font may be
 * given that is open.
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
