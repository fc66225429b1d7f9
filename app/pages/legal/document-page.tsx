/** Renders a legal page: sections of text, cards of sellers, and links to the other legal pages. */
import type { ReactNode } from "react";
import { Breakable } from "../../ui/breakable.tsx";
import type { Handle } from "../../ui/handle.ts";
import { indexedPage } from "../../ui/indexed-page.ts";
import { legalPages } from "../../ui/legal-pages.ts";
import { Rich, useTranslate } from "../../ui/text.tsx";
import type { LegalDocument, SellerCard } from "./document.ts";

export const legalHandle: Handle = { publiclyCacheable: true };

export const legalMeta = indexedPage<LegalDocument>(({ title, description, path }) => ({
  title,
  description,
  path,
}));

export function DocumentPage({ document }: { document: LegalDocument }) {
  const text = useTranslate();
  const { links } = document;
  const parts: Record<string, (words: string) => ReactNode> = {
    mail: (words) => <a href={links.mail}>{words}</a>,
    link: (words) => <a href={links.link}>{words}</a>,
  };
  return (
    <article className="page rules">
      <h1>{document.title}</h1>
      <p className="lead">{document.lead}</p>
      {document.sections.map(({ title, paragraphs, points = [], sellers = [] }) => (
        <section key={title}>
          <h2>{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>
              <Rich text={paragraph} parts={parts} />
            </p>
          ))}
          {points.length > 0 && (
            <ul>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          )}
          {sellers.length > 0 && (
            <div className="sellers">
              {sellers.map((seller) => (
                <Seller key={seller.title} seller={seller} />
              ))}
            </div>
          )}
        </section>
      ))}
      <p className="hint">{document.inForce}</p>
      <nav aria-label={text("legal.seeAlso")}>
        <ul className="in-row">
          {legalPages()
            .filter(({ path }) => path !== document.path)
            .map(({ path, name }) => (
              <li key={path}>
                <a href={path}>{text(name)}</a>
              </li>
            ))}
        </ul>
      </nav>
    </article>
  );
}

function Seller({ seller }: { seller: SellerCard }) {
  return (
    <div className="card">
      <h3>{seller.title}</h3>
      <dl className="facts ruled">
        {seller.facts.map(({ label, lines, href }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {lines.map((line) => (
                <span key={line} className="line">
                  {href === undefined ? (
                    line
                  ) : (
                    <a href={href}>
                      <Breakable>{line}</Breakable>
                    </a>
                  )}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
