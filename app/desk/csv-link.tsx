/** The link to the file of a list at the desk. */

export function CsvLink({ href }: { href: string }) {
  return <a href={href}>Download as CSV</a>;
}
