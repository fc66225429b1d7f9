/** Banner on every page that staff see as another user: the user, the end time, and the way out. Rendered only on the server. */
import * as paths from "#server/foundation/paths.ts";
import type { DocumentContents } from "./document-context.ts";
import { Rich, useTranslate } from "./text.tsx";

export function ImpersonationBanner({ email, company, until }: NonNullable<DocumentContents["view"]>) {
  const text = useTranslate();
  return (
    <aside className="notice due" aria-label={text("storeView.label")}>
      <form method="post" action={paths.deskEndImpersonation()} className="in-line">
        <p>
          <Rich
            text={text("storeView.asMember", { email, company, until })}
            parts={{ strong: (inner) => <strong>{inner}</strong> }}
          />
        </p>
        <button type="submit">{text("storeView.end")}</button>
      </form>
    </aside>
  );
}
