/** Preview of an edited text in each language of the store, before it is saved. */

export interface PreviewCard {
  /** BCP 47 tag. */
  lang: string;
  /** The language, in English. */
  language: string;
  title: string;
  lines: readonly string[];
  features: readonly string[];
}

export function Preview({ cards }: { cards: readonly PreviewCard[] }) {
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <ul className="cards">
        {cards.map(({ lang, language, title, lines, features }) => (
          <li key={lang} className="card">
            <p className="hint">{language}</p>
            <div lang={lang}>
              <h3>{title}</h3>
              {lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, and two lines may say the same
                <p key={index}>{line}</p>
              ))}
              {features.length > 0 && (
                <ul>
                  {features.map((feature, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <li key={index}>{feature}</li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
