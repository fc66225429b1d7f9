/** A few links of which one is where you are: works as a switch, is plain navigation. */
export function Choice(props: {
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
