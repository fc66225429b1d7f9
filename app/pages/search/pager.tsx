/** Page links: previous, every number, next. They are real links, so that a page of results can be shared. */
import { useTranslate } from "../../ui/text.tsx";

export function Pager(props: { page: number; pages: number; hrefOf: (page: number) => string }) {
  const text = useTranslate();
  const { page, pages, hrefOf } = props;
  if (pages <= 1) return null;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  return (
    <nav aria-label={text("search.pages")} className="pager">
      <ul>
        {page > 1 && (
          <li>
            <a rel="prev" href={hrefOf(page - 1)}>
              {text("search.previous")}
            </a>
          </li>
        )}
        {numbers.map((number) => (
          <li key={number}>
            <a
              href={hrefOf(number)}
              aria-current={number === page ? "page" : undefined}
              aria-label={text("search.page", { number })}
            >
              {number}
            </a>
          </li>
        ))}
        {page < pages && (
          <li>
            <a rel="next" href={hrefOf(page + 1)}>
              {text("search.next")}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
