/** Link to the CSV file of a Desk list. */

export function CsvLink({ href }: { href: string }) {
  return (
    <p className="csv">
      <a className="button quiet" href={href}>
        Download as CSV
      </a>
    </p>
  );
}
