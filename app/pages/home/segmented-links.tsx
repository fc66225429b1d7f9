/** A few links, one of them the current page. Looks like a switch but is plain navigation. */
export function SegmentedLinks(props: {
  label: string;
  current: string;
  options: readonly { value: string; text: string; href: string }[];
}) {
  return (
    <nav aria-label={props.label} className="switch">
      <ul>
        {props.options.map(({ value, text, href }) => (
          <li key={value}>
            <a href={href} aria-current={value === props.current ? "true" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
