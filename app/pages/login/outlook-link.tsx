/** The other way to sign in: Microsoft's own sign-in. A plain link, because it leads to another site. */
import * as paths from "#server/paths.ts";

export function OutlookLink({ next }: { next: string }) {
  return (
    <p>
      <a className="button quiet" href={paths.outlookSignIn(next === paths.home() ? undefined : next)}>
        Continue with Outlook
      </a>
    </p>
  );
}
