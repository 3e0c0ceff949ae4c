// Which words hold a text: those of the operator, or those of a creator.
import type { HoldReason, Reviewer } from '#contract/moderation/hold-names.ts'
import { type ListedWord, wordIn } from '#server/rules/moderation/words.ts'
import type { Db } from '#server/store/database.ts'
import { lacksDeclaration } from '#server/store/posts/film-declarations.ts'
import { listWords } from '#server/store/moderation/words.ts'

/** Why something is held, and by whom it is reviewed. */
export interface Found {
  readonly reason: HoldReason
  readonly reviewer: Reviewer
  readonly word: ListedWord | undefined
  /** Different bits of two hashes, for `media`. */
  readonly distance?: number
}

/**
 * The word of the operator's list in a text.
 * @param before the text before it was changed: words that it had are no reason
 */
export async function operatorWordIn(db: Db, text: string, before = ''): Promise<Found | undefined> {
  if (text === '') return undefined
  const words = await listWords(db, null)
  const added = before === '' ? words : words.filter((it) => wordIn(before, [it]) === undefined)
  const word = wordIn(text, added)
  return word && { reason: 'word', reviewer: 'staff', word }
}

/** The word of a creator's own list in a comment below their post. */
export async function ownWordIn(db: Db, creatorId: string, text: string): Promise<Found | undefined> {
  const word = wordIn(text, await listWords(db, creatorId))
  return word && { reason: 'word', reviewer: 'creator', word }
}

/** The missing declaration about an age-limited film that is sold; its author ends the hold. */
export async function undeclaredFilm(db: Db, postId: string): Promise<Found | undefined> {
  if (!(await lacksDeclaration(db, postId))) return undefined
  return { reason: 'undeclared', reviewer: 'creator', word: undefined }
}
