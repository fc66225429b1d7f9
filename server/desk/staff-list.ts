/** Staff accounts with their open sessions, for admins. */
import { listStaff, type Staff } from "#db/desk/staff.ts";
import { listStaffSessions, type StoredStaffSession } from "#db/desk/staff-sessions.ts";
import type { Db } from "#db/tables/index.ts";

export interface StaffWithSessions extends Staff {
  sessions: StoredStaffSession[];
}

export async function readStaff(db: Db, now = new Date()): Promise<StaffWithSessions[]> {
  const [staff, sessions] = await Promise.all([listStaff(db), listStaffSessions(db, now)]);
  return staff.map((each) => ({ ...each, sessions: sessions.filter(({ staffId }) => staffId === each.id) }));
}
