// Texts of posts as they were bought: kept at an edit, read by buyers.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { dateOf, statement } from '#server/store/statement.ts'
import { posts, postVersions } from '#server/store/tables/posts.ts'
import type { PostTexts } from './posts.ts'

/**
 * Keeps the texts of a post before they are changed, if a payment was begun or a purchase made since the last kept ones: versions that no
 * buyer could have bought are not kept. Call it with the post locked, which beginning a payment waits for. The time of the version is
 * after every such order, also where the clocks of servers differ.
 */
export async function keepVersion(tx: Db, postId: string, now: number): Promise<void> {
  const last = sql`coalesce((select max(replaced_at) from ${postVersions} where post_id = ${postId}::uuid), '-infinity')`
  const orders = sql`(select created_at as at from payments where post_id = ${postId}::uuid
    union all select bought_at from post_purchases where post_id = ${postId}::uuid)`
  await tx.execute(sql`
    insert into ${postVersions} (post_id, author_id, replaced_at, content, title, introduction)
    select p.id, p.author_id,
      greatest(${new Date(now).toISOString()}::timestamptz, ordered.last + interval '1 millisecond'),
      p.content, p.title, p.introduction
    from ${posts} p, (select max(at) as last from ${orders} as o) as ordered
    where p.id = ${postId}::uuid and ordered.last >= ${last}`)
}

/** The version of a post that was current at a time, if it was changed since. @param post its id */
export const versionAt = (post: SQL, at: SQL): SQL =>
  sql`select replaced_at, content, title, introduction from post_versions
    where post_id = ${post} and replaced_at > ${at} order by replaced_at limit 1`

/** When what a person has bought was ordered: at the beginning of the payment that paid it. */
const orderedAt = (user: SQL): SQL =>
  sql`coalesce((select created_at from payments where post_id = b.post_id and user_id = ${user} and state = 'paid'),
    b.bought_at)`

export interface BoughtVersion extends PostTexts {
  /** When the seller changed it. */
  readonly replacedAt: Date
}

interface Row extends PostTexts {
  readonly replaced_at: string
}

const bought = statement<{ post: string; user: string }, Row>(
  { post: 'uuid', user: 'uuid' },
  (param) => sql`select v.* from post_purchases b
    cross join lateral (${versionAt(sql`b.post_id`, orderedAt(param('user')))}) as v
    where b.post_id = ${param('post')} and b.user_id = ${param('user')} and b.revoked_at is null`,
)

/** The texts that a person has bought, if the post was changed since. */
export async function findBoughtVersion(
  db: Db,
  postId: string,
  userId: string,
): Promise<BoughtVersion | undefined> {
  const [row] = await bought(db, { post: postId, user: userId })
  if (!row) return undefined
  const { replaced_at: at, ...texts } = row
  return { ...texts, replacedAt: dateOf(at) }
}

export interface SoldTexts {
  readonly bought: PostTexts
  /** As the post has them now. */
  readonly current: PostTexts
  /** Null while they are as they were bought. */
  readonly changedAt: string | null
}

/**
 * The texts of posts as they were bought with these payments, by payment: of those that were changed since, and of all in `always`.
 * @param always ids of payments
 */
export async function soldTextsOf(
  db: Db,
  paymentIds: readonly string[],
  always: readonly string[],
): Promise<ReadonlyMap<string, SoldTexts>> {
  if (paymentIds.length === 0) return new Map()
  const listOf = (ids: readonly string[]) => sql`${sql.param(ids)}::uuid[]`
  const texts = (of: string) =>
    sql.raw(
      `json_build_object('content', ${of}.content, 'title', ${of}.title, 'introduction', ${of}.introduction)`,
    )
  const { rows } = (await db.execute(sql`
    select pay.id, v.replaced_at::text as "changedAt", ${texts('p')} as current,
      case when v.replaced_at is null then ${texts('p')} else ${texts('v')} end as bought
    from payments pay join ${posts} p on p.id = pay.post_id
    left join lateral (${versionAt(sql`pay.post_id`, sql`pay.created_at`)}) as v on true
    where pay.id = any(${listOf(paymentIds)}) and pay.kind = 'post'
      and (v.replaced_at is not null or pay.id = any(${listOf(always)}))`)) as {
    rows: (SoldTexts & { readonly id: string })[]
  }
  return new Map(rows.map(({ id, ...it }) => [id, it]))
}

/** Removes what is kept of a post. */
export async function removeVersions(tx: Db, postId: string): Promise<void> {
  await tx.delete(postVersions).where(eq(postVersions.postId, postId))
}
