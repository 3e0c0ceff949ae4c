// The hourly sweep of expired sessions, and of devices unused for as long.
import type { Deps } from '#server/deps.ts'
import { removeDevicesBefore } from '#server/store/accounts/devices.ts'
import { removeRememberedDevicesBefore } from '#server/store/accounts/remembered-devices.ts'
import { removeExpiredSessions, SESSION_MS } from '#server/store/accounts/sessions.ts'

export async function sweepSessions({ db, clock }: Deps): Promise<void> {
  await removeExpiredSessions(db, clock())
  await removeDevicesBefore(db, clock() - SESSION_MS)
  await removeRememberedDevicesBefore(db, clock() - SESSION_MS)
}
