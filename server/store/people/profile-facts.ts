// Reads a profile with all data of its view for one viewer, by one statement.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { MediaRow } from '#server/store/media/media.ts'
import { type Person, stateOf } from './people.ts'
import {
  offeredPlans,
  type PlanFacts,
  type PlanFactsRow,
  toPlanFacts,
} from '#server/store/plans/plan-facts.ts'
import type { Relation } from './relations.ts'
import { momentOf, statement } from '#server/store/statement.ts'

interface Cover extends Pick<MediaRow, 'width' | 'made'> {
  readonly id: string
}

export interface ProfileFacts {
  readonly person: Person
  readonly links: readonly string[]
  /** Null until a cover is converted. */
  readonly cover: Cover | null
  readonly followers: number
  readonly following: number
  /** Of both counts. */
  readonly version: number
  /** Plans that have not ended, in the person's order. */
  readonly plans: readonly PlanFacts[]
  /** Between the viewer and them; all false for a visitor. */
  readonly relation: Relation
}

interface Row extends Relation {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly bio: string
  readonly links: readonly string[]
  readonly avatar: string | null
  readonly cover: Cover | null
  readonly deleted_at: string | null
  readonly suspended_at: string | null
  readonly leaving: string | null
  readonly followers: number | null
  readonly followed: number | null
  readonly version: number | null
  readonly plans: readonly PlanFactsRow[] | null
}

const ofPerson = statement<{ id: string; viewer: string | null; now: string }, Row>(
  { id: 'uuid', viewer: 'uuid', now: 'timestamptz' },
  (param) => {
    const viewer = param('viewer')
    return sql`select u.id, u.name, u.handle, u.bio, u.links, u.deleted_at, u.suspended_at,
        (select user_id from deletions where user_id = u.id) as leaving,
        (select media_id from user_pictures where user_id = u.id and role = 'avatar') as avatar,
        (select json_build_object('id', m.id, 'width', m.width, 'made', m.made) from user_pictures p
          join media m on m.id = p.media_id where p.user_id = u.id and p.role = 'cover') as cover,
        c.followers, c.following as followed, c.version,
        (${offeredPlans(sql`u.id`, param('now'))}) as plans,
        exists (select 1 from follows where follower_id = ${viewer} and followed_id = u.id) as following,
        exists (select 1 from follows where followed_id = ${viewer} and follower_id = u.id) as "followedBy",
        exists (select 1 from mutes where muter_id = ${viewer} and muted_id = u.id) as muted,
        exists (select 1 from blocks where blocker_id = ${viewer} and blocked_id = u.id) as blocked,
        exists (select 1 from blocks where blocked_id = ${viewer} and blocker_id = u.id) as "blockedBy"
      from users u left join person_counts c on c.user_id = u.id where u.id = ${param('id')}`
  },
)

const posts = statement<{ id: string }, { n: number }>(
  { id: 'uuid' },
  (param) =>
    sql`select count(*)::int as n from posts
      where author_id = ${param('id')} and released_at is not null and deleted_at is null`,
)

/** The number of a person's released posts. A statement of its own: it grows with them, and a replica may serve it. */
export async function countReleased(db: Db, id: string): Promise<number> {
  return (await posts(db, { id }))[0]?.n ?? 0
}

/** @returns undefined without a person of this id */
export async function profileFacts(
  db: Db,
  viewerId: string | undefined,
  id: string,
  now: number,
): Promise<ProfileFacts | undefined> {
  const [row] = await ofPerson(db, { id, viewer: viewerId ?? null, now: momentOf(now) })
  if (!row) return undefined
  const { name, handle, bio, links, avatar: avatarId, cover } = row
  const { following, followedBy, muted, blocked, blockedBy } = row
  const state = stateOf(row.deleted_at, row.suspended_at, row.leaving)
  return {
    person: { id: row.id, name, handle, bio, avatarId, state },
    links,
    cover,
    followers: row.followers ?? 0,
    following: row.followed ?? 0,
    version: row.version ?? 0,
    plans: (row.plans ?? []).map(toPlanFacts<PlanFacts>),
    relation: { following, followedBy, muted, blocked, blockedBy },
  }
}
