/** Links between the pages of a long Desk list. */

/** @param props.first link to the first page; null on it @param props.next null on the last page */
export function ListPaging({ first, next }: { first: string | null; next: string | null }) {
  if (first === null && next === null) return null;
  return (
    <nav aria-label="Pages of the list" className="actions">
      {first !== null && <a href={first}>Back to the start</a>}
      {next !== null && (
        <a rel="next" href={next}>
          More
        </a>
      )}
    </nav>
  );
}
