// Removes a passkey and emails its owner.
import type { Db } from '#server/store/database.ts'
import { findUser } from '#server/store/people/people.ts'
import { removePasskey } from '#server/store/accounts/passkeys.ts'

interface PasskeyRemoved {
  readonly is: 'passkey_removed'
  readonly name: string
  readonly at: number
}

interface Remover {
  readonly clock: () => number
  readonly commit: (
    work: (tx: Db, after: { wake(name: 'letter.send'): void }) => Promise<boolean>,
  ) => Promise<boolean>
  readonly outbox: {
    enqueue(tx: Db, to: { email: string; name: string }, email: PasskeyRemoved): Promise<void>
  }
}

/** @returns false when the person has no such passkey */
export function dropPasskey(
  { clock, commit, outbox }: Remover,
  userId: string,
  passkeyId: string,
): Promise<boolean> {
  return commit(async (tx, after) => {
    const removed = await removePasskey(tx, userId, passkeyId)
    if (!removed) return false
    const user = await findUser(tx, userId)
    if (user) {
      const { email, name } = user
      await outbox.enqueue(tx, { email, name }, { is: 'passkey_removed', name: removed.name, at: clock() })
      after.wake('letter.send')
    }
    return true
  })
}
