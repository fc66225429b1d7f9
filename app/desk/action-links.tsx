/** The acts that a member of staff may do on the thing of a page. */
export function ActionLinks({ acts }: { acts: readonly { label: string; href: string }[] }) {
  if (acts.length === 0) return null;
  return (
    <ul className="row-actions" aria-label="Actions">
      {acts.map(({ label, href }) => (
        <li key={href}>
          <a className="button quiet" href={href}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
