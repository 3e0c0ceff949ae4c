// Letters: put into the box by the transaction that causes them, taken out sealed, one job each.
import { newId } from '#contract/ids.ts'
import type { Secrets } from './adapters/secrets.ts'
import type { Letter, Recipient } from './rules/letter.ts'
import type { Db } from './store/database.ts'
import type { Jobs } from './store/jobs.ts'
import { addLetter, findLetter, listLetters, removeLetter } from './store/letters.ts'

export interface PostedLetter {
  readonly to: Recipient
  readonly letter: Letter
}

export interface Letters {
  /** Posts a letter; it leaves when `tx` commits. Call `jobs.wake('letter.send')` after that. */
  post(tx: Db, to: Recipient, letter: Letter): Promise<void>
  /** A letter that waits, or undefined when it has gone out already. */
  take(db: Db, id: string): Promise<PostedLetter | undefined>
  /** It was handed over. */
  gone(db: Db, id: string): Promise<void>
  /** Takes back every letter to an address that has not gone out. */
  recall(tx: Db, email: string): Promise<void>
}

export function letterBox(jobs: Jobs, secrets: Secrets, clock: () => number): Letters {
  const open = (sealed: string) => JSON.parse(secrets.open('letter', sealed).toString()) as PostedLetter
  const isTo = (sealed: string, email: string): boolean => {
    try {
      return open(sealed).to.email === email
    } catch {
      // Sealed by a key that is no longer ours: nobody can read or send it.
      return false
    }
  }
  return {
    async post(tx, to, letter) {
      const posted: PostedLetter = { to, letter }
      const id = newId()
      await addLetter(tx, id, secrets.seal('letter', Buffer.from(JSON.stringify(posted))), clock())
      await jobs.enqueue(tx, 'letter.send', { letterId: id })
    },
    async take(db, id) {
      const sealed = await findLetter(db, id)
      return sealed === undefined ? undefined : open(sealed)
    },
    gone: removeLetter,
    async recall(tx, email) {
      for (const { id, sealed } of await listLetters(tx)) if (isTo(sealed, email)) await removeLetter(tx, id)
    },
  }
}
