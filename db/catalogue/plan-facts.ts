/**
 * Features of a plan as its vendor publishes them: the basis for comparing and recommending plans. Only numbers and closed sets,
 * because the texts are messages (server/foundation/languages, room "compare").
 */
export interface PlanFacts {
  /** Number of a user's computers on which the apps can be installed; 0 if they cannot. */
  readonly desktopApps: number;
  /** Whether users can edit documents in the browser and on phones. */
  readonly webApps: boolean;
  /** Gigabytes of a user's mailbox on the buyer's domain; "in-storage" if mail counts as storage; null without mail. */
  readonly mailbox: number | "in-storage" | null;
  /** Gigabytes for a user's files, 1000 to the terabyte; null without any. */
  readonly storage: number | null;
  /** `people`: maximum in one meeting, null if no number is published. Null for a plan without meetings. */
  readonly meetings: { readonly people: number | null; readonly also: MeetingFact | null } | null;
  readonly security: readonly SecurityFact[];
  /** Other features that distinguish it from plans of its family. */
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
