/** The name of an app in a plan, and its tile in public/tiles.svg. */
const apps: Readonly<Record<string, { name: string; icon: string }>> = {
  word: { name: "Word", icon: "document" },
  excel: { name: "Excel", icon: "grid" },
  powerpoint: { name: "PowerPoint", icon: "slides" },
  outlook: { name: "Outlook", icon: "mail" },
  teams: { name: "Teams", icon: "chat" },
  exchange: { name: "Exchange", icon: "tray" },
  onedrive: { name: "OneDrive", icon: "cloud" },
  sharepoint: { name: "SharePoint", icon: "share" },
  intune: { name: "Intune", icon: "device" },
  defender: { name: "Defender", icon: "shield" },
  copilot: { name: "Copilot", icon: "spark" },
  gmail: { name: "Gmail", icon: "mail" },
  drive: { name: "Drive", icon: "folder" },
  meet: { name: "Meet", icon: "video" },
  calendar: { name: "Calendar", icon: "calendar" },
  docs: { name: "Docs", icon: "document" },
  sheets: { name: "Sheets", icon: "grid" },
  chat: { name: "Chat", icon: "chat" },
  vault: { name: "Vault", icon: "safe" },
  desk: { name: "Desk", icon: "desk" },
  tasks: { name: "Tasks", icon: "tasks" },
  directory: { name: "Directory", icon: "people" },
  rooms: { name: "Rooms", icon: "door" },
  calls: { name: "Calls", icon: "phone" },
  search: { name: "Search", icon: "search" },
  guard: { name: "Guard", icon: "shield" },
  backup: { name: "Backup", icon: "copies" },
  audit: { name: "Audit", icon: "tasks" },
};

/** Name and icon of an app. An app without its own tile gets a generic one. */
export function appById(id: string): { name: string; icon: string } {
  return apps[id] ?? { name: id.charAt(0).toUpperCase() + id.slice(1), icon: "app" };
}
