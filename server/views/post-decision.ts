// What a viewer may see of posts: everything the policy wants to know, read together, and its answer for each.
import { ageOn } from '#contract/rules.ts'
import {
  accessTo,
  type Entitlements,
  type GuardedPost,
  type PostAccess,
  viewerOf,
} from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { entitlementsOf } from '#server/store/entitlements.ts'
import { findPeople, type Person } from '#server/store/people.ts'
import { plansOpening, type PostRow } from '#server/store/posts.ts'

/** Who looks, as far as a view needs to know. */
export interface Onlooker {
  readonly id: string
  readonly birthDate: string
}

export interface Ground {
  readonly people: Map<string, Person>
  readonly opening: Map<string, string[]>
  readonly has: Entitlements
}

/** Reads what the policy wants to know of these posts and this viewer. */
export async function readGround(
  db: Db,
  viewer: Onlooker | null,
  rows: readonly PostRow[],
  now: number,
): Promise<Ground> {
  // Side by side, where the database works so.
  const [people, opening, has] = await Promise.all([
    findPeople(
      db,
      rows.map((row) => row.authorId),
    ),
    plansOpening(
      db,
      rows.filter((row) => row.type === 2).map((row) => row.id),
    ),
    entitlementsOf(db, viewer?.id, rows, now),
  ])
  return { people, opening, has }
}

export interface Decided {
  readonly row: PostRow
  readonly guarded: GuardedPost
  readonly author: Person
  readonly decision: Exclude<PostAccess, { is: 'hidden' }>
}

/** What the viewer may see of each of these posts; those they may not know of are left out. */
export function decide(
  ground: Ground,
  viewer: Onlooker | null,
  rows: readonly PostRow[],
  now: number,
): Decided[] {
  const member = viewer && { id: viewer.id, age: ageOn(viewer.birthDate, now) }
  return rows.flatMap((row) => {
    const author = ground.people.get(row.authorId)
    const guarded: GuardedPost = {
      ...row,
      released: row.releasedAt !== null,
      deleted: row.deletedAt !== null,
      authorState: author?.state ?? 'gone',
      planIds: ground.opening.get(row.id) ?? [],
    }
    const decision = accessTo(viewerOf(member, ground.has, row), guarded)
    return author && decision.is !== 'hidden' ? [{ row, guarded, author, decision }] : []
  })
}

/** What the viewer may see of one post; undefined when they may not know of it. */
export async function decisionOn(
  db: Db,
  viewer: Onlooker | null,
  row: PostRow,
  now: number,
): Promise<Decided['decision'] | undefined> {
  const ground = await readGround(db, viewer, [row], now)
  return decide(ground, viewer, [row], now)[0]?.decision
}
