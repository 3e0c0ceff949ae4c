// Removes a passkey and emails its owner.
import type { EmailingUnit } from '#server/services/email/outbox.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { findUser } from '#server/store/people/people.ts'
import { removePasskey } from '#server/store/accounts/passkeys.ts'

interface Ports {
  readonly clock: () => number
  readonly transaction: Transaction<Pick<UnitOfWork, 'tx'> & EmailingUnit>
}

/** @returns false when the person has no such passkey */
export function dropPasskey(
  { clock, transaction }: Ports,
  userId: string,
  passkeyId: string,
): Promise<boolean> {
  return transaction(async ({ tx, email }) => {
    const removed = await removePasskey(tx, userId, passkeyId)
    if (!removed) return false
    const user = await findUser(tx, userId)
    if (user) {
      const to = { email: user.email, name: user.name }
      await email(to, { is: 'passkey_removed', name: removed.name, at: clock() })
    }
    return true
  })
}
