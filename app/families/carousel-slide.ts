/** A slide of the catalogue's carousel. */
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";

interface Picture {
  readonly artwork: "office" | "meeting" | "laptop";
}

export interface Banner extends Picture {
  readonly title: PlainMessageKey;
}

/** A slide in the visitor's language. */
export interface CarouselSlide extends Picture {
  readonly title: string;
  readonly maker: string;
  readonly price: {
    readonly before: string;
    readonly amount: string;
    readonly list: string | null;
    readonly after: string;
  } | null;
  readonly action: string;
  /** Null for a slide that links to the contact page. */
  readonly href: string | null;
}
