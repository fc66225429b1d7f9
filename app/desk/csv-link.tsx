/** The link to the file of a list at the desk. */

export function CsvLink({ href }: { href: string }) {
  return (
    <p className="csv">
      <a className="button quiet" href={href}>
        Download as CSV
      </a>
    </p>
  );
}
