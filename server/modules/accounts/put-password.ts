// A new password takes the place of the old one, and with it goes whatever the old one had opened.
import type { After, Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { removeMailCodes } from '#server/store/accounts/mail-codes.ts'
import { setPassword } from '#server/store/people/people.ts'
import { forgetDevices } from '#server/store/accounts/remembered-devices.ts'
import { removeSessions, type Session } from '#server/store/accounts/sessions.ts'

export interface NewPassword {
  readonly userId: string
  readonly passwordHash: string
  /** The session that stays: the one it was changed in. */
  readonly sessionId?: string
  /** The device it was changed on, which stays remembered. */
  readonly deviceId: string | null
  /** The reset it was done by. */
  readonly resetId?: string
}

/**
 * Ends the person's other sessions and waiting codes, forgets their other devices, and enqueues the email.
 * @returns the sessions that it ended, without those that had expired
 */
export async function putPassword(
  { clock, outbox }: Deps,
  tx: Db,
  after: After,
  { userId, passwordHash, sessionId, deviceId, resetId }: NewPassword,
): Promise<readonly Session[]> {
  const user = await setPassword(tx, userId, passwordHash)
  const ended = await removeSessions(tx, userId, sessionId)
  after.end({ is: 'person', userId, except: sessionId })
  await forgetDevices(tx, userId, { except: deviceId })
  await removeMailCodes(tx, userId, resetId)
  if (user) await outbox.enqueue(tx, user, { is: 'password_changed', at: clock() })
  after.wake('letter.send')
  return ended.filter((it) => it.expiresAt.getTime() > clock())
}
