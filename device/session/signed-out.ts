// People who are not signed in on this device any more: whether they left by choice, and whose unsent posts are parked here.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { Tx } from '#device/database/database.ts'
import type { Session } from '#device/database/schema.ts'

/** `chose`: they signed out here, so only unsent posts may stay. */
const left = v.record(
  id,
  v.object({
    name: v.string(),
    chose: v.boolean(),
    /** The server has shut the account: what is unsent can be copied, and is not sent. */
    closed: v.optional(v.literal('suspended')),
  }),
)
export type SignedOutNote = v.InferOutput<typeof left>

const KEY = 'left'

/** Reads the note inside a transaction over `settings`; one that does not fit is an empty one. */
export async function readSignedOutIn(tx: Tx<IDBTransactionMode>): Promise<SignedOutNote> {
  const parsed = v.safeParse(left, await tx.objectStore('settings').get(KEY))
  return parsed.success ? parsed.output : {}
}

/** Writes the note inside a transaction over `settings`. */
export async function writeSignedOutIn(tx: Tx, note: SignedOutNote): Promise<void> {
  if (Object.keys(note).length === 0) await tx.objectStore('settings').delete(KEY)
  else await tx.objectStore('settings').put(note, KEY)
}

/** Records the end of a session, inside a transaction over `settings`. A sign-out by choice stays one. */
export async function recordSignOutIn(
  tx: Tx,
  user: Session['user'],
  chose: boolean,
  closed?: 'suspended',
): Promise<void> {
  const note = await readSignedOutIn(tx)
  await writeSignedOutIn(tx, { ...note, [user.id]: { name: user.name, chose, ...(closed && { closed }) } })
}

/** Records a sign-in, inside a transaction over `settings`. */
export async function recordSignInIn(tx: Tx, userId: string): Promise<void> {
  const { [userId]: back, ...rest } = await readSignedOutIn(tx)
  if (back) await writeSignedOutIn(tx, rest)
}
