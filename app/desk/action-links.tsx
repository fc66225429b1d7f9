/** Links to the staff actions that the signed-in person may run on a page's subject. */
interface ActionLinksProps {
  acts: readonly { label: string; href: string; look?: "filled" | "danger" }[];
  /** The list's name, where a page has several. */
  label?: string;
}

export function ActionLinks({ acts, label: name = "Actions" }: ActionLinksProps) {
  if (acts.length === 0) return null;
  return (
    <ul className="row-actions" aria-label={name}>
      {acts.map(({ label, href, look = "quiet" }) => (
        <li key={href}>
          <a className={look === "filled" ? "button" : `button ${look}`} href={href}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
