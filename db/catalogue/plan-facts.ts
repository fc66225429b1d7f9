/**
 * What a plan has, as its vendor publishes it: by these facts plans are compared and one of them is recommended. Only numbers and
 * closed sets, because the words are messages (server/foundation/languages, room "compare").
 */
export interface PlanFacts {
  /** On how many computers of a person the apps are installed; 0 where they are not. */
  readonly desktopApps: number;
  /** Whether documents are written in the browser and on phones. */
  readonly webApps: boolean;
  /** Gigabytes of a person's mailbox on the buyer's domain; "in-storage" where mail counts as storage; null without mail. */
  readonly mailbox: number | "in-storage" | null;
  /** Gigabytes for the files of a person, 1000 to the terabyte; null without any. */
  readonly storage: number | null;
  /** `people`: at most in one meeting, null where no number is published. Null for a plan without meetings. */
  readonly meetings: { readonly people: number | null; readonly also: MeetingFact | null } | null;
  readonly security: readonly SecurityFact[];
  /** What else sets it apart from other plans of its family. */
  readonly extras: readonly ExtraFact[];
}

export type MeetingFact = "recordings" | "webinars";

export type SecurityFact =
  | "twoStepSignIn"
  | "spamFilter"
  | "phishingProtection"
  | "deviceProtection"
  | "deviceManagement"
  | "conditionalAccess"
  | "dataLabels"
  | "litigationHold"
  | "dataLossPrevention"
  | "records"
  | "singleSignOn"
  | "backup"
  | "accessRecord";

export type ExtraFact =
  | "customerBookings"
  | "bookingPages"
  | "sharedDrives"
  | "sharedCalendars"
  | "growingArchive"
  | "weakSpots"
  | "noticeBoard"
  | "tasks"
  | "attendance"
  | "chatRooms"
  | "oneSearch"
  | "roomBooking";
