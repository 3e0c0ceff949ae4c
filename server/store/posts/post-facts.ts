// Reads posts with all data that their views and the access policy need.
import { type SQL, sql } from 'drizzle-orm'
import type { HoldReason } from '#contract/moderation/hold-names.ts'
import type { Db } from '#server/store/database.ts'
import type { MediaRole } from '#server/store/media/media.ts'
import { type MediaFacts, mediaFields } from '#server/store/media/media-facts.ts'
import { type Person, stateOf } from '#server/store/people/people.ts'
import { joinedNow, opensReleased, type Plan, planGrants } from '#server/store/plans/plans.ts'
import { entitlementColumns, type EntitlementsRow } from './entitlements.ts'
import type { PostRow } from './posts.ts'
import { privacyDefaults } from '#server/store/accounts/settings.ts'
import { dateOf, dateOrNull, momentOf, type Params, statement } from '#server/store/statement.ts'

export interface ShownMedia {
  readonly role: MediaRole
  /** Its author's description; '' without one. */
  readonly alt: string
  readonly media: MediaFacts
}

/** A plan that opens a post. */
export interface OpeningPlan extends Pick<Plan, 'id' | 'name' | 'price'> {
  /** Whether the viewer is a member of it at this moment. */
  readonly isMember: boolean
  /** Whether it opens the post to the viewer. */
  readonly joined: boolean
  /** When the last source of that ends, or could end without a charge that devices hear of; null without an end. */
  readonly endsAt: Date | null
}

export interface PostFacts extends Omit<PostRow, 'idempotencyKey' | 'withheldAt' | 'heldAt'> {
  /** Why it waits for a review; null unless it does. */
  readonly held: { readonly reason: HoldReason; readonly word: string } | null
  readonly author: Omit<Person, 'bio'>
  /** When the author's account was deleted. */
  readonly authorGoneAt: Date | null
  /** Plans that open it, cheapest first; none unless it is of type 2. */
  readonly plans: readonly OpeningPlan[]
  /** In the author's order. */
  readonly media: readonly ShownMedia[]
  readonly likes: number
  readonly comments: number
  /** Of both counts. */
  readonly version: number
  /** Whether the viewer likes it. */
  readonly liked: boolean
  /** Whether the viewer has a purchase of it without a refund. */
  readonly bought: boolean
  /** Whether its author is blocked for the viewer, in either direction. */
  readonly blocked: boolean
  /** Whether the viewer has chosen to see age-limited posts. */
  readonly showsAgeLimited: boolean
  /** Whether share cards may show the author's open posts. */
  readonly showsShareCard: boolean
}

/** A viewer at a moment, which decides which memberships count. */
export interface Look {
  /** Null for a visitor. */
  readonly viewer: string | null
  readonly now: string
}

export const lookTypes = { viewer: 'uuid', now: 'timestamptz' } as const

export const lookOf = (viewerId: string | undefined, now: number): Look => ({
  viewer: viewerId ?? null,
  now: momentOf(now),
})

/** A row of `factsOf`, which `toFacts` converts. */
export interface FactsRow extends EntitlementsRow {
  readonly id: string
  readonly author_id: string
  readonly type: 1 | 2 | 3
  readonly content: string
  readonly title: string
  readonly introduction: string
  readonly is_age_limited: boolean
  readonly price: number | null
  readonly comments_closed: boolean
  readonly created_at: string
  readonly released_at: string | null
  readonly edited_at: string | null
  readonly deleted_at: string | null
  readonly held: PostFacts['held']
  readonly name: string
  readonly handle: string | null
  readonly avatar_id: string | null
  readonly gone_at: string | null
  readonly suspended_at: string | null
  readonly leaving_id: string | null
  readonly likes: number | null
  readonly comments: number | null
  readonly version: number | null
  readonly plans: readonly (Omit<OpeningPlan, 'endsAt'> & { readonly endsAt: string | null })[] | null
  readonly media: readonly (MediaFacts & Pick<ShownMedia, 'role' | 'alt'>)[] | null
  readonly liked: boolean
  readonly shares: boolean | null
}

/**
 * The facts of posts for one viewer, newest first; ids break ties.
 * @param ids a select of the posts' ids, each once, as `id`
 */
export function factsOf(ids: SQL, param: Params<Look>): SQL {
  const viewer = param('viewer')
  return sql`select ${guardColumns(param)}, p.author_id, p.content, p.title, p.introduction, p.created_at,
      u.name, u.handle, avatar.media_id as avatar_id, c.likes, c.comments, c.version,
      (${mediaOf}) as media,
      own_like.user_id is not null as liked
    from (${ids}) as page
    join posts p on p.id = page.id
    join users u on u.id = p.author_id
    left join deletions leaving on leaving.user_id = p.author_id
    left join user_pictures avatar on avatar.user_id = p.author_id and avatar.role = 'avatar'
    left join post_counts c on c.post_id = p.id
    left join post_likes own_like on own_like.post_id = p.id and own_like.user_id = ${viewer}
    order by p.released_at desc, p.id desc`
}

/** Columns that decide what a viewer may see of a post, and which text of it is the present one. */
function guardColumns(param: Params<Look>): SQL {
  const viewer = param('viewer')
  return sql`p.id, p.type, p.is_age_limited, p.price, p.comments_closed, p.released_at, p.edited_at, p.deleted_at,
    case when p.held_at is not null then (${holdOf}) end as held,
    u.deleted_at as gone_at, u.suspended_at, leaving.user_id as leaving_id,
    case when p.type = 2 then (${plansOf(param)}) end as plans,
    ${entitlementColumns(viewer)},
    (select shows_share_card from user_settings where user_id = p.author_id) as shares`
}

/** The columns of a post that the primary decides by. */
export type GuardRow = Pick<
  FactsRow,
  | 'id'
  | 'type'
  | 'is_age_limited'
  | 'price'
  | 'comments_closed'
  | 'released_at'
  | 'edited_at'
  | 'deleted_at'
  | 'held'
  | 'gone_at'
  | 'suspended_at'
  | 'leaving_id'
  | 'plans'
  | 'bought'
  | 'blocked'
  | 'shows'
  | 'shares'
>

/** @param ids a select of the posts' ids, each once, as `id` */
export const guardsOf = (ids: SQL, param: Params<Look>): SQL =>
  sql`select ${guardColumns(param)}
    from (${ids}) as page
    join posts p on p.id = page.id
    join users u on u.id = p.author_id
    left join deletions leaving on leaving.user_id = p.author_id`

/**
 * The facts of posts that a replica has delivered, with everything that decides access from the primary. A post without a guard,
 * or with another text or place than on the primary, is left out.
 */
export function guarded(rows: readonly FactsRow[], guards: readonly GuardRow[]): PostFacts[] {
  const byId = new Map(guards.map((it) => [it.id, it]))
  return rows.flatMap((row) => {
    const guard = byId.get(row.id)
    const isPresent = guard?.edited_at === row.edited_at && guard?.released_at === row.released_at
    return guard && isPresent ? [toFacts({ ...row, ...guard })] : []
  })
}

const plansOf = (param: Params<Look>): SQL =>
  sql`select json_agg(json_build_object('id', l.id, 'name', l.name, 'price', l.price,
      'isMember', mine.grants > 0, 'joined', mine.opening > 0, 'endsAt', mine.until) order by l.price, l.id)
    from post_plans o join plans l on l.id = o.plan_id cross join lateral (${grantsOfPlan(param)}) as mine
    where o.post_id = p.id`

/** How many sources open the plan `l` to the viewer, how many of them open the post `p`, and until when the longest of these does. */
function grantsOfPlan(param: Params<Look>): SQL {
  const opens = opensReleased(sql`p.released_at`)
  return sql`select count(*) as grants, count(*) filter (where ${opens}) as opening,
      case when bool_and(coalesce(g.ends_at, g.copies_until) is not null) filter (where ${opens})
        then max(coalesce(g.ends_at, g.copies_until)) filter (where ${opens}) end as until
    from ${planGrants} as g where g.plan_id = l.id and ${joinedNow(param('viewer'), param('now'))}`
}

const holdOf = sql`select json_build_object('reason', h.reason, 'word', h.word) from holds h
    where h.target_kind = 'post' and h.target_id = p.id order by h.created_at desc, h.id desc limit 1`

const mediaOf = sql`select json_agg(json_build_object('role', a.role, 'alt', a.alt, ${mediaFields('m')}) order by a.position, a.media_id)
    from post_media a join media m on m.id = a.media_id where a.post_id = p.id`

export function toFacts(row: FactsRow): PostFacts {
  return {
    id: row.id,
    authorId: row.author_id,
    type: row.type,
    content: row.content,
    title: row.title,
    introduction: row.introduction,
    isAgeLimited: row.is_age_limited,
    price: row.price,
    commentsClosed: row.comments_closed,
    createdAt: dateOf(row.created_at),
    releasedAt: dateOrNull(row.released_at),
    editedAt: dateOrNull(row.edited_at),
    deletedAt: dateOrNull(row.deleted_at),
    authorGoneAt: dateOrNull(row.gone_at),
    held: row.held,
    author: {
      id: row.author_id,
      name: row.name,
      handle: row.handle,
      avatarId: row.avatar_id,
      state: stateOf(row.gone_at, row.suspended_at, row.leaving_id),
    },
    plans: (row.plans ?? []).map((it) => ({ ...it, endsAt: dateOrNull(it.endsAt) })),
    media: (row.media ?? []).map(({ role, alt, ...media }) => ({ role, alt, media })),
    likes: row.likes ?? 0,
    comments: row.comments ?? 0,
    version: row.version ?? 0,
    liked: row.liked,
    bought: row.bought,
    blocked: row.blocked,
    showsAgeLimited: row.shows ?? privacyDefaults.showsAgeLimited,
    showsShareCard: row.shares ?? privacyDefaults.showsShareCard,
  }
}

/** Posts for one viewer. */
export interface PostsById extends Look {
  readonly ids: readonly string[]
}

const postsById = statement<PostsById, FactsRow>({ ...lookTypes, ids: 'uuid[]' }, (param) =>
  factsOf(sql`select unnest(${param('ids')}) as id`, param),
)

/** The rows of these posts for one viewer, newest first. */
export async function rowsOfPosts(
  db: Db,
  viewerId: string,
  ids: readonly string[],
  now: number,
): Promise<FactsRow[]> {
  return ids.length === 0 ? [] : postsById(db, { ...lookOf(viewerId, now), ids })
}

/** The facts of these posts for one viewer, in the same order; posts that do not exist are left out. */
export async function factsOfPosts(
  db: Db,
  viewerId: string | undefined,
  ids: readonly string[],
  now: number,
): Promise<PostFacts[]> {
  if (ids.length === 0) return []
  const rows = await postsById(db, { ...lookOf(viewerId, now), ids: [...new Set(ids)] })
  const facts = new Map(rows.map((row) => [row.id, toFacts(row)]))
  return ids.flatMap((id) => facts.get(id) ?? [])
}
