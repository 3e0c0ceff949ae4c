// Who is told that a text names them: those who see all of the text, each once, and not everybody one can type.
import { handlesIn, MAX_TOLD } from '#contract/mentions.ts'
import { type Happening, lineOf } from '#server/rules/happenings.ts'
import type { Db } from '#server/store/database.ts'
import { findNamed } from '#server/store/handles.ts'
import { linesOf } from '#server/store/notifications.ts'
import { decisionOn } from './post-decision.ts'

export interface Written {
  readonly by: string
  readonly postId: string
  /** The comment or reply it is; null for the post itself. */
  readonly commentId: string | null
  readonly parentId: string | null
  readonly text: string
  /** How the text was before it was changed: whoever stood in it is not told again. */
  readonly before?: string
  /** People who are told of it already, by something more particular. */
  readonly told?: ReadonlySet<string>
}

/**
 * What a text tells to those it names. Inside the transaction of the act, after the post is as it will be: whoever does
 * not read it in full (a plan, a price, their age, a block) is not told. Blocks and mutes of its writer are for `notify`.
 */
export async function mentionsToTell(tx: Db, written: Written, now: number): Promise<Happening[]> {
  const { by, postId, commentId, parentId, text, before = '', told = new Set() } = written
  const stood = new Set(handlesIn(before))
  const handles = handlesIn(text)
    .slice(0, MAX_TOLD)
    .filter((it) => !stood.has(it))
  const named = (await findNamed(tx, handles)).filter((it) => it.id !== by && !told.has(it.id))
  if (named.length === 0) return []
  const tells = (to: string): Happening => ({ is: 'mention', by, to, postId, commentId, parentId })
  // Taken out of the text and put in again, a name tells nobody twice.
  const earlier = await linesOf(
    tx,
    lineOf(tells(by)).groupKey,
    named.map((it) => it.id),
  )
  const happenings: Happening[] = []
  for (const person of named.filter((it) => !earlier.has(it.id))) {
    const seen = await decisionOn(tx, person, postId, now)
    if (seen?.decision.is === 'full' && seen.post.releasedAt !== null) happenings.push(tells(person.id))
  }
  return happenings
}
