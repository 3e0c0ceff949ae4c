// Creates the mention events of a text, for people who may read it in full.
import { handlesIn, MAX_MENTIONED } from '#contract/text/mentions.ts'
import { type NotificationEvent, notificationOf } from '#server/rules/notification-events.ts'
import type { Db } from '#server/store/database.ts'
import { findMentioned } from '#server/store/accounts/handles.ts'
import { findNotified } from '#server/store/notifications/notifications.ts'
import { decisionOn } from './post-decision.ts'

export interface WrittenText {
  readonly by: string
  readonly postId: string
  /** The comment or reply that has the text; null for the post itself. */
  readonly commentId: string | null
  readonly parentId: string | null
  readonly text: string
  /** The text before it was changed: people mentioned there are not notified again. */
  readonly before?: string
  /** People who are notified of it already, by a more specific event. */
  readonly notified?: ReadonlySet<string>
}

/**
 * The mention events of a text, for `notify`, which also checks blocks and mutes. Call this in the transaction of the
 * change, after the post is written. People who may not read the text in full (plan, price, age, block) get none.
 */
export async function mentionEvents(tx: Db, written: WrittenText, now: number): Promise<NotificationEvent[]> {
  const { by, postId, commentId, parentId, text, before = '', notified = new Set() } = written
  const mentionedBefore = new Set(handlesIn(before))
  const handles = handlesIn(text)
    .slice(0, MAX_MENTIONED)
    .filter((it) => !mentionedBefore.has(it))
  const mentioned = (await findMentioned(tx, handles)).filter((it) => it.id !== by && !notified.has(it.id))
  if (mentioned.length === 0) return []
  const eventFor = (to: string): NotificationEvent => ({ is: 'mention', by, to, postId, commentId, parentId })
  // A mention that is removed from the text and added again does not notify twice.
  const earlier = await findNotified(
    tx,
    notificationOf(eventFor(by)).groupKey,
    mentioned.map((it) => it.id),
  )
  const events: NotificationEvent[] = []
  for (const person of mentioned.filter((it) => !earlier.has(it.id))) {
    const seen = await decisionOn(tx, person, postId, now)
    if (seen?.decision.is === 'full' && seen.post.releasedAt !== null) events.push(eventFor(person.id))
  }
  return events
}
