/** A domain, an email or an id in a cell, which stays in one piece while its table has room (desk.css). */
import { Breakable } from "../ui/breakable.tsx";

export function Word({ children }: { children: string }) {
  return (
    <span className="word">
      <Breakable>{children}</Breakable>
    </span>
  );
}
