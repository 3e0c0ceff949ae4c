// Makes posts, comments and accounts follow the measures that apply to them now.
import { postChannel } from '#contract/realtime/channels.ts'
import { reindexPost } from '#server/services/search/search-index.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { removeRememberedDevices } from '#server/store/accounts/remembered-devices.ts'
import { removeSessions } from '#server/store/accounts/sessions.ts'
import { activeKinds, hasSetAgeLimit, isFinal, type Subject } from '#server/store/moderation/measures.ts'
import {
  restoreComment,
  restorePost,
  setAgeLimit,
  setRestriction,
  withholdComment,
  withholdPost,
} from '#server/store/moderation/withheld.ts'
import { unlistRemoved } from '#server/store/moderation/removed-media.ts'
import { postCountsOf } from '#server/store/reactions/counts.ts'
import type { MeasureKind } from '#contract/moderation/measures.ts'

type Unit = Pick<UnitOfWork, 'tx' | 'enqueue' | 'publish' | 'endConnections'>

/** What changed; a measure that another one has already taken changes nothing. */
export interface Applied {
  readonly ageLimited: boolean
}

const nothing: Applied = { ageLimited: false }

/**
 * Compares a thing or an account with its measures, and changes what differs. It may be repeated. Content that was removed for good
 * stays away.
 */
export async function applyMeasures(unit: Unit, subject: Subject, now: number): Promise<Applied> {
  const kinds = await activeKinds(unit.tx, subject)
  switch (subject.targetKind) {
    case 'post':
      return applyToPost(unit, subject.targetId, kinds, now)
    case 'comment':
      return applyToComment(unit, subject.targetId, kinds, now)
    case 'person':
      return applyToPerson(unit, subject.targetId, kinds, now)
    case 'message':
      return nothing
    default:
      return subject.targetKind satisfies never
  }
}

const isWithheld = (kinds: ReadonlySet<MeasureKind>) => kinds.has('hide') || kinds.has('remove')

async function applyToPost(
  { tx, enqueue, endConnections }: Unit,
  id: string,
  kinds: ReadonlySet<MeasureKind>,
  now: number,
): Promise<Applied> {
  const ageLimited = kinds.has('age_limit')
    ? await setAgeLimit(tx, id, true)
    : (await hasSetAgeLimit(tx, id)) && (await setAgeLimit(tx, id, false))
  const moved = isWithheld(kinds)
    ? await withholdPost(tx, id, now)
    : !(await isFinal(tx, { targetKind: 'post', targetId: id })) && (await restorePost(tx, id))
  if (kinds.has('remove')) await enqueue('media.removed', { postId: id })
  else await unlistRemoved(tx, id)
  if (moved) await reindexPost(tx, id)
  // Open pages authorize their channel again, and learn what they may still see.
  if (moved || ageLimited) endConnections({ is: 'channel', channel: postChannel(id) })
  return { ageLimited: ageLimited && kinds.has('age_limit') }
}

async function applyToComment(
  { tx, publish }: Unit,
  id: string,
  kinds: ReadonlySet<MeasureKind>,
  now: number,
): Promise<Applied> {
  const moved = isWithheld(kinds)
    ? await withholdComment(tx, id, now)
    : (await isFinal(tx, { targetKind: 'comment', targetId: id }))
      ? undefined
      : await restoreComment(tx, id)
  if (moved)
    publish({
      channel: postChannel(moved.postId),
      event: 'comments.changed',
      data: { post_id: moved.postId, comment_id: id, ...(await postCountsOf(tx, moved.postId)) },
    })
  return nothing
}

async function applyToPerson(
  { tx, endConnections }: Unit,
  id: string,
  kinds: ReadonlySet<MeasureKind>,
  now: number,
): Promise<Applied> {
  await setRestriction(tx, id, 'limit', kinds.has('limit') ? now : undefined)
  const suspends = kinds.has('suspend')
  const changed = await setRestriction(tx, id, 'suspend', suspends ? now : undefined)
  // Tokens of a suspended account are refused as suspended, so that each device says why; afterwards they are unknown.
  if (changed && !suspends) await removeSessions(tx, id)
  if (changed && suspends) {
    await removeRememberedDevices(tx, id, { except: null })
    endConnections({ is: 'person', userId: id, except: undefined })
  }
  return nothing
}
