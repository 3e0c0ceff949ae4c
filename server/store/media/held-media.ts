// Reads a media with its holder by one query, for every request for a file.
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { MediaRow } from './media.ts'
import { type AccountState, stateOf } from '#server/store/people/people.ts'
import { plansOpening, type PostRow } from '#server/store/posts/posts.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { media, userPictures } from '#server/store/tables/media.ts'
import { messageMedia } from '#server/store/tables/messages.ts'
import type { NoticeState } from '#contract/notices/notice-states.ts'
import { notices } from '#server/store/tables/notifications.ts'
import { planPictures, plans } from '#server/store/tables/plans.ts'
import { users } from '#server/store/tables/people.ts'
import { postMedia, posts } from '#server/store/tables/posts.ts'
import { userSettings } from '#server/store/tables/settings.ts'

/**
 * A post, message or notice that shows a media, or a person whose picture, or whose plan's, it is. `state` is the author's or
 * theirs.
 */
export type Holder =
  | {
      readonly is: 'post'
      readonly post: PostRow
      readonly planIds: readonly string[]
      readonly state: AccountState
      /** The author's choice about share cards. */
      readonly showsShareCard: boolean
    }
  | { readonly is: 'message' }
  | { readonly is: 'notice'; readonly state: NoticeState }
  | { readonly is: 'person'; readonly state: AccountState }

/** Finds a media with its holder; undefined when it does not exist or nothing shows it. */
export async function findHeldMedia(
  db: Db,
  id: string,
): Promise<{ media: MediaRow; holder: Holder } | undefined> {
  const rows = await db
    .select({
      media,
      post: posts,
      messageId: messageMedia.messageId,
      noticeState: notices.state,
      personId: users.id,
      deletedAt: users.deletedAt,
      suspendedAt: users.suspendedAt,
      leavingId: deletions.userId,
      showsShareCard: userSettings.showsShareCard,
    })
    .from(media)
    .leftJoin(postMedia, eq(postMedia.mediaId, media.id))
    .leftJoin(posts, eq(posts.id, postMedia.postId))
    .leftJoin(messageMedia, eq(messageMedia.mediaId, media.id))
    .leftJoin(notices, eq(notices.pictureId, media.id))
    .leftJoin(userPictures, eq(userPictures.mediaId, media.id))
    .leftJoin(planPictures, eq(planPictures.mediaId, media.id))
    .leftJoin(plans, eq(plans.id, planPictures.planId))
    .leftJoin(
      users,
      eq(users.id, sql`coalesce(${posts.authorId}, ${userPictures.userId}, ${plans.creatorId})`),
    )
    .leftJoin(deletions, eq(deletions.userId, users.id))
    .leftJoin(userSettings, eq(userSettings.userId, posts.authorId))
    .where(eq(media.id, id))
    .limit(1)
  const row = rows[0]
  if (row && row.messageId !== null) return { media: row.media, holder: { is: 'message' } }
  if (row && row.noticeState !== null)
    return { media: row.media, holder: { is: 'notice', state: row.noticeState } }
  if (!row || row.personId === null) return undefined
  const state = stateOf(row.deletedAt, row.suspendedAt, row.leavingId)
  const { post } = row
  if (!post) return { media: row.media, holder: { is: 'person', state } }
  const planIds = post.type === 2 ? ((await plansOpening(db, [post.id])).get(post.id) ?? []) : []
  const showsShareCard = row.showsShareCard ?? privacyDefaults.showsShareCard
  return { media: row.media, holder: { is: 'post', post, planIds, state, showsShareCard } }
}
