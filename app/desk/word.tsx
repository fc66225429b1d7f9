/** A domain, email or id in a cell, kept on one line while its table has space (desk.css). */
import { Breakable } from "../ui/breakable.tsx";

export function Word({ children }: { children: string }) {
  return (
    <span className="word">
      <Breakable>{children}</Breakable>
    </span>
  );
}
