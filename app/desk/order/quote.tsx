/** An order's quote: its latest version, and the recipients of each version's requests. */
import { Breakable } from "../../ui/breakable.tsx";
import { ListTable } from "../../ui/list.tsx";
import type { quoteView } from "./view.ts";

export function Quote(props: NonNullable<ReturnType<typeof quoteView>>) {
  const { number, version, state, until, requests } = props;
  return (
    <section aria-labelledby="quote">
      <h2 id="quote">Quote</h2>
      <p>
        {number}, version {version}, valid until <time dateTime={until.iso}>{until.text}</time>: {state}
      </p>
      {requests.length > 0 && (
        <ListTable
          label="Approval and payment requests"
          columns={[{ label: "Who", holds: "words" }, "Asked", "About", "State"]}
          rows={requests.map((each) => ({
            id: each.id,
            cells: [
              <span key="who" className="stacked">
                <Breakable>{each.email}</Breakable>
                <small>{each.what}</small>
              </span>,
              <time key="asked" dateTime={each.requestedAt.iso}>
                {each.requestedAt.text}
              </time>,
              each.number,
              <span key="state" className="stacked">
                {each.state}
                {each.answered !== null && (
                  <small>
                    <time dateTime={each.answered.iso}>{each.answered.text}</time>
                  </small>
                )}
                {each.words !== null && <small>“{each.words}”</small>}
              </span>,
            ],
          }))}
        />
      )}
    </section>
  );
}
