/**
 * The small window in which an administrator confirms an order, opened by the press on Next: a browser allows it only then, before the
 * answer is there. What it shows waits for that answer. It closes with the page that has opened it.
 */
export const approvalWindow = "partner-approval";

let opened: Window | null = null;

/**
 * @param address the approval page, as it is shown in a window of its own
 * @param username whose account was typed: the page waits until the order is about that
 */
export function openApprovalWindow(address: string, username: string): void {
  const domain = username.trim().toLowerCase().split("@")[1] ?? "";
  const page = `${address}&for=${encodeURIComponent(domain)}`;
  opened = window.open(page, approvalWindow, "popup,width=520,height=680");
  window.addEventListener("pagehide", closeApprovalWindow, { once: true });
}

/** The answer was no. */
export function closeApprovalWindow(): void {
  opened?.close();
  opened = null;
}
