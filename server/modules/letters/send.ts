// Sends the letters that wait, one job each.
import type { Deps } from '#server/deps.ts'
import { writeLetter } from '#server/rules/letters/write.ts'
import { removeLettersBefore } from '#server/store/letters.ts'

/** A letter that could not be handed over for this long says nothing any more, ms. */
const LETTER_MS = 3 * 24 * 3600_000

/** A letter the relay will never take. */
class LetterRefused extends Error {
  constructor(kind: string, status: number) {
    super(`the mail relay refused a letter (${kind}) for good: ${status}`)
    this.name = 'LetterRefused'
  }
}

/**
 * Hands one letter over and removes it. Where another try may help it tells `onError` and throws: the queue tries again
 * with growing waits, and a relay that is away must be seen by whoever runs the server.
 * A crash between the two sends it twice under one message id, which is better than not at all.
 */
export async function sendLetter(
  { db, letters, mailer, settings }: Deps,
  letterId: string,
  onError: (error: Error) => void,
): Promise<void> {
  const posted = await letters.take(db, letterId)
  if (!posted) return
  const { to, letter } = posted
  const mail = { id: letterId, to, ...writeLetter(letter, to.name, settings.publicUrl) }
  const sent = await mailer.send(mail).catch((error: Error) => {
    onError(error)
    throw error
  })
  if (sent.is === 'refused') onError(new LetterRefused(letter.is, sent.status))
  await letters.gone(db, letterId)
}

export function forgetOldLetters({ db, clock }: Deps): Promise<void> {
  return removeLettersBefore(db, clock() - LETTER_MS)
}
