// The signed-in person's token, where the worker can read it.
import { tell } from './changes.ts'
import { transact } from './database.ts'
import { noteBackIn, noteLeftIn } from './left.ts'
import { believe } from './rows.ts'
import type { Session } from './schema.ts'

const KEY = 'current'

/** Keeps the session; jobs of this person that waited for a sign-in go on from where they were. */
export async function saveSession(session: Session): Promise<void> {
  await transact(['session', 'settings'], 'readwrite', async (tx) => {
    await tx.objectStore('session').put(session, KEY)
    await noteBackIn(tx, session.user.id)
  })
  tell({ store: 'session' })
}

/** The session, or `undefined` when nobody is signed in on this device. */
export function readSession(): Promise<Session | undefined> {
  return transact(['session'], 'readonly', async (tx) =>
    believe('session', await tx.objectStore('session').get(KEY)),
  )
}

/**
 * Forgets the session without the person having asked for it: what is theirs stays where it is and waits for them.
 * @param token only when the stored token is still this one (a refusal of an old token must not end a new session)
 */
export async function clearSession(token?: string): Promise<void> {
  const cleared = await transact(['session', 'settings'], 'readwrite', async (tx) => {
    const session = believe('session', await tx.objectStore('session').get(KEY))
    if (token !== undefined && session?.token !== token) return false
    await tx.objectStore('session').delete(KEY)
    if (session) await noteLeftIn(tx, session.user, false)
    return true
  })
  if (cleared) tell({ store: 'session' })
}
