/** A slide of the catalogue's carousel. */

export interface Banner {
  readonly artwork: "office" | "meeting" | "laptop";
  readonly title: string;
}

export interface Offer extends Banner {
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
