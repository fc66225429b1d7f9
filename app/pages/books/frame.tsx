/** Frame of the pages of a company's books: links between them, and the years. */
import type { ReactNode } from "react";
import { useTranslate } from "../../ui/text.tsx";

export interface BooksLink {
  label: string;
  href: string;
  isCurrent: boolean;
}

export interface BooksFrameProps {
  title: string;
  /** The pages of the books, for the same period. */
  parts: readonly BooksLink[];
  /** The years of this page. */
  years: readonly BooksLink[];
  children: ReactNode;
}

export function BooksFrame({ title, parts, years, children }: BooksFrameProps) {
  const text = useTranslate();
  return (
    <div className="page">
      <div className="head">
        <h1>{title}</h1>
      </div>
      <Tabs label={text("books.parts")} links={parts} />
      <Tabs label={text("books.years")} links={years} />
      {children}
    </div>
  );
}

function Tabs({ label, links }: { label: string; links: readonly BooksLink[] }) {
  return (
    <nav aria-label={label}>
      <ul className="tabs">
        {links.map(({ label: name, href, isCurrent }) => (
          <li key={name}>
            <a href={href} aria-current={isCurrent ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
