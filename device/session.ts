// The signed-in person's token, where the worker can read it.
import { tell } from './changes.ts'
import { transact } from './database.ts'
import { believe } from './rows.ts'
import type { Session } from './schema.ts'

const KEY = 'current'

/** Keeps the session; jobs of this person that waited for a sign-in go on from where they were. */
export async function saveSession(session: Session): Promise<void> {
  await transact(['session'], 'readwrite', (tx) => tx.objectStore('session').put(session, KEY))
  tell({ store: 'session' })
}

/** The session, or `undefined` when nobody is signed in on this device. */
export function readSession(): Promise<Session | undefined> {
  return transact(['session'], 'readonly', async (tx) =>
    believe('session', await tx.objectStore('session').get(KEY)),
  )
}

/**
 * Forgets the session. Jobs stay where they are and wait for the same person.
 * @param token only when the stored token is still this one (a refusal of an old token must not end a new session)
 */
export async function clearSession(token?: string): Promise<void> {
  const cleared = await transact(['session'], 'readwrite', async (tx) => {
    const store = tx.objectStore('session')
    if (token !== undefined && believe('session', await store.get(KEY))?.token !== token) return false
    await store.delete(KEY)
    return true
  })
  if (cleared) tell({ store: 'session' })
}
