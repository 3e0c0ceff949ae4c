// Views of notifications for their recipient.
import { MAX_EXCERPT, type NotificationView } from '#contract/notifications/notifications.ts'
import { type CommentRow, showable } from '#server/store/reactions/comments.ts'
import type { Db } from '#server/store/database.ts'
import { findShown, type NoticeRow } from '#server/store/notices/notices.ts'
import { type Actors, actorsOf } from '#server/store/notifications/pages.ts'
import type { NotificationRow } from '#server/store/notifications/notifications.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'
import { factsOfPosts, type PostFacts } from '#server/store/posts/post-facts.ts'
import { personView } from '#server/services/people/person-view.ts'
import { decide, type Onlooker } from '#server/services/posts/post-decision.ts'

/** Avatars shown with one notification. */
const MAX_FACES = 3

/** What the notifications of one page refer to, as far as their viewer may see it. */
interface References {
  readonly actors: Map<string, Actors>
  readonly people: Map<string, Person>
  /** Posts that are not hidden from the viewer, and whether the viewer sees them in full. */
  readonly posts: Map<string, { post: PostFacts; full: boolean }>
  readonly comments: Map<string, CommentRow>
  readonly notices: Map<string, NoticeRow>
}

/** Codes whose `target_id` is a post. */
const aboutPosts: ReadonlySet<string> = new Set([
  'like_post',
  'like_comment',
  'comment',
  'reply_comment',
  'mention',
  'post',
  'plan_post',
  'buy_post',
])

/** Views of a viewer's own notifications, in the same order. */
export async function viewNotifications(
  db: Db,
  viewer: Onlooker,
  rows: readonly NotificationRow[],
  now: number,
): Promise<NotificationView[]> {
  if (rows.length === 0) return []
  const references = await referencesOf(db, viewer, rows, now)
  return rows.map((row) => viewOf(row, references))
}

async function referencesOf(
  db: Db,
  viewer: Onlooker,
  rows: readonly NotificationRow[],
  now: number,
): Promise<References> {
  const actors = await actorsOf(
    db,
    viewer.id,
    rows.map((row) => row.id),
    MAX_FACES,
  )
  const targets = (of: (row: NotificationRow) => boolean) =>
    rows.flatMap((row) => (of(row) ? (row.targetId ?? []) : []))
  const about = targets((row) => aboutPosts.has(row.settingCd))
  const decided = decide(viewer, await factsOfPosts(db, viewer.id, [...new Set(about)], now), now)
  return {
    actors,
    people: await findPeople(
      db,
      [...actors.values()].flatMap((it) => it.ids),
    ),
    posts: new Map(decided.map(({ post, decision }) => [post.id, { post, full: decision.is === 'full' }])),
    comments: await showable(
      db,
      viewer.id,
      rows.flatMap((row) => (aboutPosts.has(row.settingCd) ? (row.targetSub1Id ?? []) : [])),
    ),
    notices: await findShown(
      db,
      targets((row) => row.settingCd === 'notice'),
      now,
    ),
  }
}

function viewOf(row: NotificationRow, references: References): NotificationView {
  const { ids, count } = references.actors.get(row.id) ?? { ids: [], count: 0 }
  const people = ids.flatMap((id) => references.people.get(id) ?? [])
  return {
    id: row.id,
    setting_cd: row.settingCd,
    idol_id: ids[0] ?? row.idolId,
    target_id: row.targetId,
    target_sub_1_id: row.targetSub1Id,
    target_sub_2_id: row.targetSub2Id,
    to_user_id: row.toUserId,
    post_deleted: aboutPosts.has(row.settingCd) && !references.posts.has(row.targetId ?? ''),
    updated_at: row.updatedAt.toISOString(),
    read: row.readAt !== null,
    people: people.map(personView),
    others: Math.max(count - 1, 0),
    excerpt: excerptOf(row, references),
  }
}

/** The beginning of a text that the viewer sees in full. No reply, push or email quotes another text. */
function excerptOf(row: NotificationRow, { posts, comments, notices }: References): string | null {
  if (row.settingCd === 'notice') {
    const notice = notices.get(row.targetId ?? '')
    return notice ? beginning(`${notice.isAdvertising ? ADVERTISING_MARK : ''}${notice.title}`) : null
  }
  const about = posts.get(row.targetId ?? '')
  if (!aboutPosts.has(row.settingCd) || !about?.full) return null
  if (row.targetSub1Id === null) return beginning(about.post.content)
  const comment = comments.get(row.targetSub1Id)
  return comment?.deletedAt === null ? beginning(comment.content) : null
}

/** What an advertising notice begins with in the list, a push and an email (特定電子メール法). */
const ADVERTISING_MARK = '【広告】'

const graphemes = new Intl.Segmenter('ja')

/** The beginning of a text in one line; null for one without visible characters. */
export function beginning(text: string): string | null {
  // Longer than any excerpt, and short enough to segment for each notification of a page.
  const plain = text
    .slice(0, MAX_EXCERPT * 20)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const clusters = [...graphemes.segment(plain)].map((it) => it.segment)
  if (clusters.length === 0) return null
  return clusters.length > MAX_EXCERPT ? `${clusters.slice(0, MAX_EXCERPT).join('')}…` : plain
}
