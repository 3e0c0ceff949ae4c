// Data of a cost measurement: conversations of pairs of viewers, and purchases by all viewers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  fillDatabase,
  idOf,
  type PublicData,
  publicData,
  type RunSql,
  tokenOf,
  VIEWERS,
  viewerNumber,
} from '#bench/rig/feed-data.ts'
import { usualHabits } from '#bench/capacity/model.ts'

/** Paid posts with a picture; each viewer has bought all of them. */
const PAID_POSTS = 12
/** Widths of the generated pictures (`bench/rig/feed-data.ts`). */
const WIDTHS = [480, 960, 1600]

export interface Person {
  readonly id: string
  readonly token: string
}

/** Viewer `n` modulo `VIEWERS`, with the token of a session. */
export const viewer = (n: number): Person => ({
  id: idOf('person', viewerNumber(n % VIEWERS)),
  token: tokenOf(n % VIEWERS),
})

/** Number of pairs of viewers with an accepted conversation. */
export const PAIRS = VIEWERS / 2

/** The two viewers of the nth pair. */
export const pairOf = (n: number): readonly [Person, Person] => [
  viewer((n % PAIRS) * 2),
  viewer((n % PAIRS) * 2 + 1),
]

export interface CostData extends PublicData {
  /** Ids of paid posts that each viewer has bought. */
  readonly paid: readonly string[]
}

async function addConversations(run: RunSql): Promise<void> {
  for (let n = 0; n < PAIRS; n++) {
    const pair = pairOf(n).map((it) => it.id)
    const { rows } = await run(
      `insert into conversations (id, pair, created_at) values (gen_random_uuid(), $1, now()) returning id`,
      [pair.toSorted().join(':')],
    )
    const [{ id } = { id: '' }] = rows as { id: string }[]
    for (const userId of pair)
      await run(
        `insert into conversation_members (conversation_id, user_id, state, last_at) values ($1, $2, 'accepted', now())`,
        [id, userId],
      )
  }
}

/** Adds purchases of paid posts for all viewers, and bytes in place of the posts' pictures. */
async function addPurchases(run: RunSql, dataFolder: string): Promise<string[]> {
  const viewers = Array.from({ length: VIEWERS }, (_, n) => viewer(n).id)
  // Ids of generated posts are before those of generated media.
  const { rows } = await run(
    `select p.id, m.media_id from posts p join post_media m on m.post_id = p.id
     where p.type = 3 and not p.is_age_limited and p.id < $1 and not exists (select 1 from blocks
       where blocker_id = p.author_id and blocked_id = any($2) or blocked_id = p.author_id and blocker_id = any($2))
     order by p.released_at desc limit $3`,
    [idOf('media', 0), viewers, PAID_POSTS],
  )
  const posts = rows as { id: string; media_id: string }[]
  for (const it of posts) {
    await run(
      `insert into post_purchases (post_id, user_id, price, bought_at)
       select $1, unnest($2::uuid[]), 500, now() on conflict do nothing`,
      [it.id, viewers],
    )
    const folder = join(dataFolder, 'media', it.media_id)
    mkdirSync(folder, { recursive: true })
    for (const width of WIDTHS)
      writeFileSync(join(folder, `w${width}.webp`), Buffer.alloc(usualHabits.fileBytes, 1))
  }
  return posts.map((it) => it.id)
}

/** Fills a migrated database with people, posts, conversations and purchases. @param dataFolder of the server */
export async function fillMeasuredDatabase(run: RunSql, dataFolder: string): Promise<CostData> {
  await fillDatabase(run)
  await addConversations(run)
  const paid = await addPurchases(run, dataFolder)
  await run('vacuum analyze')
  await run('checkpoint')
  return { ...(await publicData(run)), paid }
}
