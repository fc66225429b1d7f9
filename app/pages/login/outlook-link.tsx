/** The other way to sign in: Microsoft's own sign-in. A plain link, because it leads to another site. */
import * as paths from "#server/paths.ts";
import { useText } from "../../ui/text.tsx";

export function OutlookLink({ next }: { next: string }) {
  const text = useText();
  return (
    <p>
      <a className="button quiet" href={paths.outlookSignIn(next === paths.home() ? undefined : next)}>
        {text("access.withOutlook")}
      </a>
    </p>
  );
}
