/**
 * A notification across the top: error by default, or success. The shared script closes it after a while, or by its button;
 * without scripts it stays. What a person must act on inside a form is no notification (see forms/error-summary.tsx).
 */
import { CrossIcon } from "./icons.tsx";

export interface NoticeProps {
  type?: "error" | "success";
  message: string;
}

export function Notice({ type = "error", message }: NoticeProps) {
  return (
    <div className={`notice ${type}`} role={type === "error" ? "alert" : "status"} data-notice>
      <p>{message}</p>
      <button type="button" className="icon needs-scripts" aria-label="Close" data-notice-close>
        <CrossIcon />
      </button>
    </div>
  );
}
