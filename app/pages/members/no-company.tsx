/** A page about a company, for somebody who is not part of one yet. */
import * as paths from "#server/paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { useText } from "../../ui/text.tsx";

export function NoCompany({ title }: { title: string }) {
  const text = useText();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <Empty message={text("members.noCompany")}>
        <p>
          <a className="button" href={paths.explore()}>
            {text("members.explore")}
          </a>
        </p>
      </Empty>
    </section>
  );
}
