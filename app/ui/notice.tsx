/** A message across the top: error by default, or success. The shared script closes it; without scripts it stays. */
import type { ReactNode } from "react";

export function Notice({
  type = "error",
  message,
  children,
}: {
  type?: "error" | "success";
  message: string;
  children?: ReactNode;
}) {
  return (
    <div className={`notice ${type}`} role={type === "error" ? "alert" : "status"} data-notice>
      <p>{message}</p>
      {children}
    </div>
  );
}
