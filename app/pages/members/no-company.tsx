/** Replaces a page about a company for a user who does not belong to one yet. */
import * as paths from "#server/foundation/paths.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useTranslate } from "../../ui/text.tsx";

export function NoCompany({ title }: { title: string }) {
  const text = useTranslate();
  return (
    <section className="page narrow">
      <h1>{title}</h1>
      <EmptyState message={text("members.noCompany")}>
        <p>
          <a className="button" href={paths.explore()}>
            {text("members.explore")}
          </a>
        </p>
      </EmptyState>
    </section>
  );
}
