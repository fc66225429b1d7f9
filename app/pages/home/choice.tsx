/** A few links of which one is where you are: works as a switch, is plain navigation. */
export function Choice(props: {
  label: string;
  current: string;
  options: readonly { value: string; text: string; href: string }[];
}) {
  return (
    <nav aria-label={props.label}>
      <ul className="flex list-none flex-wrap gap-4 p-0">
        {props.options.map(({ value, text, href }) => (
          <li key={value}>
            <a
              href={href}
              aria-current={value === props.current ? "true" : undefined}
              className="inline-block min-h-11 content-center aria-[current]:font-bold aria-[current]:no-underline"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
