/** The only page: some text, so that there is something to paint. */
export default function Empty() {
  return <p>Nothing is here.</p>;
}
