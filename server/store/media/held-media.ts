// Reads a media, its holder and what entitles a viewer, by one statement.
import { sql } from 'drizzle-orm'
import type { NoticeState } from '#contract/notices/notice-states.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import type { Db } from '#server/store/database.ts'
import { type AccountState, stateOf } from '#server/store/people/people.ts'
import { entitlementColumns, type EntitlementsRow, joinedPlans } from '#server/store/posts/entitlements.ts'
import { type Look, lookTypes } from '#server/store/posts/post-facts.ts'
import type { PostRow } from '#server/store/posts/posts.ts'
import { type Params, statement } from '#server/store/statement.ts'
import type { MediaRow } from './media.ts'

/** The columns of a media by which its files are sent. */
export type SentMedia = Pick<MediaRow, 'id' | 'mime' | 'state' | 'made'>

/** The post that shows a media. Fields as in server/rules/post-access.ts. */
export interface HeldPost extends Pick<PostRow, 'id' | 'authorId' | 'type' | 'isAgeLimited'> {
  readonly released: boolean
  readonly deleted: boolean
  readonly authorState: AccountState
  /** Plans that open it; none unless it is of type 2. */
  readonly planIds: readonly string[]
  /** The author's choice about share cards. */
  readonly showsShareCard: boolean
}

/** What entitles the viewer to that post. Fields as in server/rules/post-access.ts. */
export interface PostEntitlements {
  readonly joinedPlans: ReadonlySet<string>
  readonly bought: boolean
  readonly showsAgeLimited: boolean
  readonly blocked: boolean
}

/**
 * A post, message or notice that shows a media, or a person whose picture, or whose plan's, it is. `state` is the notice's or
 * the person's.
 */
export type Holder =
  | { readonly is: 'post'; readonly post: HeldPost; readonly entitlements: PostEntitlements }
  | { readonly is: 'message' }
  | { readonly is: 'notice'; readonly state: NoticeState }
  | { readonly is: 'person'; readonly state: AccountState }

interface HeldRow extends SentMedia, EntitlementsRow {
  readonly message_id: string | null
  readonly notice_state: NoticeState | null
  readonly person_id: string | null
  readonly gone_at: string | null
  readonly suspended_at: string | null
  readonly leaving_id: string | null
  readonly post_id: string | null
  readonly author_id: string
  readonly type: PostRow['type']
  readonly is_age_limited: boolean
  readonly released: boolean
  readonly deleted: boolean
  readonly plans: readonly string[] | null
  readonly joined: readonly string[] | null
  readonly shares: boolean | null
}

const columns = (param: Params<Look>) => sql`m.id, m.mime, m.state, m.made,
    sent.message_id, notice.state as notice_state,
    u.id as person_id, u.deleted_at as gone_at, u.suspended_at, leaving.user_id as leaving_id,
    p.id as post_id, p.author_id, p.type, p.is_age_limited,
    p.released_at is not null as released, p.deleted_at is not null as deleted,
    case when p.type = 2 then array(select o.plan_id::text from post_plans o where o.post_id = p.id) end as plans,
    case when p.type = 2 then ${joinedPlans(param('viewer'), param('now'))} end as joined,
    ${entitlementColumns(param('viewer'))},
    (select shows_share_card from user_settings where user_id = p.author_id) as shares`

const heldMedia = statement<Look & { readonly media: string }, HeldRow>(
  { ...lookTypes, media: 'uuid' },
  (param) => sql`select ${columns(param)}
    from media m
    left join post_media a on a.media_id = m.id
    left join posts p on p.id = a.post_id
    left join message_media sent on sent.media_id = m.id
    left join notices notice on notice.picture_id = m.id
    left join user_pictures picture on picture.media_id = m.id
    left join plan_pictures card on card.media_id = m.id
    left join plans l on l.id = card.plan_id
    left join users u on u.id = coalesce(p.author_id, picture.user_id, l.creator_id)
    left join deletions leaving on leaving.user_id = u.id
    where m.id = ${param('media')}
    limit 1`,
)

/**
 * Finds a media with its holder, and what entitles a viewer to a post that holds it: facts of one moment.
 * @returns undefined when it does not exist or nothing shows it
 */
export async function findHeldMedia(
  db: Db,
  id: string,
  look: Look,
): Promise<{ media: SentMedia; holder: Holder } | undefined> {
  const [row] = await heldMedia(db, { ...look, media: id })
  const holder = row && holderOf(row)
  if (!holder) return undefined
  const { mime, state, made } = row
  return { media: { id, mime, state, made }, holder }
}

function holderOf(row: HeldRow): Holder | undefined {
  if (row.message_id !== null) return { is: 'message' }
  if (row.notice_state !== null) return { is: 'notice', state: row.notice_state }
  if (row.person_id === null) return undefined
  const state = stateOf(row.gone_at, row.suspended_at, row.leaving_id)
  if (row.post_id === null) return { is: 'person', state }
  const post: HeldPost = {
    id: row.post_id,
    authorId: row.author_id,
    type: row.type,
    isAgeLimited: row.is_age_limited,
    released: row.released,
    deleted: row.deleted,
    authorState: state,
    planIds: row.plans ?? [],
    showsShareCard: row.shares ?? privacyDefaults.showsShareCard,
  }
  const entitlements: PostEntitlements = {
    joinedPlans: new Set(row.joined ?? []),
    bought: row.bought,
    showsAgeLimited: row.shows ?? privacyDefaults.showsAgeLimited,
    blocked: row.blocked,
  }
  return { is: 'post', post, entitlements }
}
