// People who are not signed in on this device any more: whether they left by choice, and whose unsent posts are parked here.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { Tx } from '#device/database/database.ts'
import type { Session } from '#device/database/schema.ts'

/** `chose`: they signed out here, and nothing of theirs but unsent posts is to stay. */
const left = v.record(
  id,
  v.object({
    name: v.string(),
    chose: v.boolean(),
    /** The server has shut the account: what is unsent can be copied, and is not sent. */
    closed: v.optional(v.literal('suspended')),
  }),
)
export type Left = v.InferOutput<typeof left>

const KEY = 'left'

/** Reads the note inside a transaction over `settings`; one that does not fit is an empty one. */
export async function readLeftIn(tx: Tx<IDBTransactionMode>): Promise<Left> {
  const parsed = v.safeParse(left, await tx.objectStore('settings').get(KEY))
  return parsed.success ? parsed.output : {}
}

/** Writes the note inside a transaction over `settings`. */
export async function writeLeftIn(tx: Tx, note: Left): Promise<void> {
  if (Object.keys(note).length === 0) await tx.objectStore('settings').delete(KEY)
  else await tx.objectStore('settings').put(note, KEY)
}

/** Somebody's session ends here, inside a transaction over `settings`. Who left by choice has left by choice. */
export async function noteLeftIn(
  tx: Tx,
  user: Session['user'],
  chose: boolean,
  closed?: 'suspended',
): Promise<void> {
  const note = await readLeftIn(tx)
  await writeLeftIn(tx, { ...note, [user.id]: { name: user.name, chose, ...(closed && { closed }) } })
}

/** Somebody is signed in again, inside a transaction over `settings`. */
export async function noteBackIn(tx: Tx, userId: string): Promise<void> {
  const { [userId]: back, ...rest } = await readLeftIn(tx)
  if (back) await writeLeftIn(tx, rest)
}
