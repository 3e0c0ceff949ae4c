// Keeps the list of removed media, and holds posts whose media are close to it.
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Transaction } from '#server/services/transaction/unit-of-work.ts'
import type { NotifyingUnit } from '#server/services/notifications/notify.ts'
import { digestOfUpload } from '#server/services/uploads/own-upload.ts'
import type { Db } from '#server/store/database.ts'
import { lockHeldPost, wasApproved } from '#server/store/moderation/holds.ts'
import { activeKinds } from '#server/store/moderation/measures.ts'
import {
  distanceToRemoved,
  hasRemovedMedia,
  listHashable,
  listRemoved,
  setHash,
} from '#server/store/moderation/removed-media.ts'
import type { Found } from './found.ts'
import { holdPost } from './hold.ts'
import { pictureHash } from './picture-hash.ts'

interface Ports {
  readonly db: Db
  readonly storage: Parameters<typeof pictureHash>[0]['storage'] &
    Parameters<typeof digestOfUpload>[0]['storage']
  readonly sniff: Parameters<typeof pictureHash>[0]['sniff']
  readonly clock: () => number
  readonly transaction: Transaction<UnitOfWork & NotifyingUnit>
  readonly settings: { readonly help: { readonly removedMediaBits: number } }
}

/** Computes what is missing of the hashes of a post's media, in transactions of their own. */
async function hashMediaOf(ports: Ports, postId: string, withDigests: boolean): Promise<void> {
  for (const it of await listHashable(ports.db, postId)) {
    if (withDigests) await digestOfUpload(ports, it)
    const isMade = it.widths.length > 0 || it.hasPoster
    if (it.isHashed || !isMade) continue
    const picture = await pictureHash(ports, it)
    await ports.transaction(({ tx }) => setHash(tx, it.id, picture))
  }
}

/** How a post's media resemble removed ones; undefined when none does. */
export async function mediaLikeRemoved(tx: Db, postId: string, most: number): Promise<Found | undefined> {
  const distance = await distanceToRemoved(tx, postId, most)
  return distance === undefined
    ? undefined
    : { reason: 'media', reviewer: 'staff', word: undefined, distance }
}

/**
 * Holds a released post whose hashed media are close to removed ones. Within the transaction that makes a media available, no other
 * person sees the media before. The post's row must be locked.
 */
export async function holdIfRemoved(
  unit: UnitOfWork & NotifyingUnit,
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  post: { readonly id: string; readonly authorId: string },
): Promise<void> {
  if (await wasApproved(unit.tx, { targetKind: 'post', targetId: post.id }, 'media')) return
  const found = await mediaLikeRemoved(unit.tx, post.id, settings.help.removedMediaBits)
  if (found) await holdPost(unit, post, found, { isNew: false, now: clock() })
}

/** After a media of a post was made: computes what is missing of its hashes, and holds the post if it is close to a removed one. */
export async function compareMadeMedia(ports: Ports, postId: string): Promise<void> {
  await hashMediaOf(ports, postId, await hasRemovedMedia(ports.db))
  await ports.transaction(async (unit) => {
    const post = await lockHeldPost(unit.tx, postId)
    if (post) await holdIfRemoved(unit, ports, post)
  })
}

/** Puts the media of a removed post on the list, unless the measure ended meanwhile. */
export async function listRemovedMedia(ports: Ports, postId: string): Promise<void> {
  await hashMediaOf(ports, postId, true)
  await ports.transaction(async ({ tx }) => {
    if (!(await lockHeldPost(tx, postId))) return
    if ((await activeKinds(tx, { targetKind: 'post', targetId: postId })).has('remove'))
      await listRemoved(tx, postId, ports.clock())
  })
}
