// A new password takes the place of the old one, and with it goes whatever the old one had opened.
import type { After, Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { removeMailCodes } from '#server/store/mail-codes.ts'
import { setPassword } from '#server/store/people.ts'
import { removeSessions } from '#server/store/sessions.ts'

export interface NewPassword {
  readonly userId: string
  readonly passwordHash: string
  /** The session that stays: the one it was changed in. */
  readonly sessionId?: string
  /** The reset it was done by. */
  readonly resetId?: string
}

/** Ends the person's other sessions and waiting codes, and posts the letter. */
export async function putPassword(
  { clock, letters }: Deps,
  tx: Db,
  after: After,
  { userId, passwordHash, sessionId, resetId }: NewPassword,
): Promise<void> {
  const user = await setPassword(tx, userId, passwordHash)
  await removeSessions(tx, userId, sessionId)
  after.end({ is: 'person', userId, except: sessionId })
  await removeMailCodes(tx, userId, resetId)
  if (user) await letters.post(tx, user, { is: 'password_changed', at: clock() })
  after.wake('letter.send')
}
