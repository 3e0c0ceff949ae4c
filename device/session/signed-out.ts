// Records which people signed out of this device, and whether by choice.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { Tx } from '#device/database/database.ts'
import type { Session } from '#device/database/schema.ts'

/** By person. `chose`: the person signed out here, so only unsent posts may stay. */
const signedOutNote = v.record(
  id,
  v.object({
    name: v.string(),
    chose: v.boolean(),
    /** The server has closed the account: unsent posts can be copied, and are not sent. */
    closed: v.optional(v.literal('suspended')),
  }),
)
export type SignedOutNote = v.InferOutput<typeof signedOutNote>

const KEY = 'left'

/** Reads the note inside a transaction over `settings`; one that does not fit is an empty one. */
export async function readSignedOutIn(tx: Tx<IDBTransactionMode>): Promise<SignedOutNote> {
  const parsed = v.safeParse(signedOutNote, await tx.objectStore('settings').get(KEY))
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
