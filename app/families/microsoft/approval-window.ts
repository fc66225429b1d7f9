/**
 * The small window in which an administrator confirms an order. It opens on the press of Next, before the answer arrives,
 * because browsers allow popups only then. It shows a waiting page until the answer arrives, and closes with the page that
 * opened it.
 */
export const approvalWindow = "partner-approval";

let opened: Window | null = null;

/**
 * @param address the approval page, as shown in the small window
 * @param username the username that was typed: the page waits until the order refers to its domain
 */
export function openApprovalWindow(address: string, username: string): void {
  const domain = username.trim().toLowerCase().split("@")[1] ?? "";
  const page = `${address}&for=${encodeURIComponent(domain)}`;
  opened = window.open(page, approvalWindow, "popup,width=520,height=680");
  window.addEventListener("pagehide", closeApprovalWindow, { once: true });
}

/** Called when the post is refused. */
export function closeApprovalWindow(): void {
  opened?.close();
  opened = null;
}
