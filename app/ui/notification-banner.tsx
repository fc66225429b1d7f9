/**
 * A notification across the top: error by default, or success. The shared script closes it after a while, or by its button.
 * Without scripts it stays. Errors that need action inside a form go to forms/error-summary.tsx instead.
 */
import { CrossIcon, Icon } from "./icons.tsx";
import { useTranslate } from "./text.tsx";

export interface NotificationBannerProps {
  type?: "error" | "success";
  message: string;
}

export function NotificationBanner({ type = "error", message }: NotificationBannerProps) {
  const text = useTranslate();
  return (
    <div className={`notice ${type}`} role={type === "error" ? "alert" : "status"} data-notice>
      <Icon name={type === "error" ? "alert" : "tick"} size={20} />
      <p>{message}</p>
      <button type="button" className="icon needs-scripts" aria-label={text("shell.close")} data-notice-close>
        <CrossIcon />
      </button>
    </div>
  );
}
