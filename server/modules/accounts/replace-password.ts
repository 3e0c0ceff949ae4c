// Replaces a password, and ends the person's sessions, codes and remembered devices.
import type { Deps, Unit } from '#server/deps.ts'
import { removeMailCodes } from '#server/store/accounts/mail-codes.ts'
import { setPassword } from '#server/store/people/people.ts'
import { removeRememberedDevices } from '#server/store/accounts/remembered-devices.ts'
import { removeSessions, type Session } from '#server/store/accounts/sessions.ts'

export interface NewPassword {
  readonly userId: string
  readonly passwordHash: string
  /** The session in which the password was changed; it stays. */
  readonly sessionId?: string
  /** The device on which the password was changed; it stays remembered. */
  readonly deviceId: string | null
  /** The code by which the password was reset; it stays stored. */
  readonly resetId?: string
}

/**
 * Ends the person's other sessions and codes, removes their other remembered devices, and enqueues the email.
 * @returns the ended sessions, without expired ones
 */
export async function replacePassword(
  { clock }: Deps,
  { tx, endConnections, email }: Unit,
  { userId, passwordHash, sessionId, deviceId, resetId }: NewPassword,
): Promise<readonly Session[]> {
  const user = await setPassword(tx, userId, passwordHash)
  const ended = await removeSessions(tx, userId, sessionId)
  endConnections({ is: 'person', userId, except: sessionId })
  await removeRememberedDevices(tx, userId, { except: deviceId })
  await removeMailCodes(tx, userId, resetId)
  if (user) await email(user, { is: 'password_changed', at: clock() })
  return ended.filter((session) => session.expiresAt.getTime() > clock())
}
