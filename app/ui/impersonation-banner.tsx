/** Across every page that a member of staff sees as somebody else: as whom, until when, and the way out. Rendered by the server alone. */
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
