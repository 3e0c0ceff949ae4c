// Fills a database with 10,000 people, posts, likes, comments and follows, by SQL.
import { createHash } from 'node:crypto'
import { FOLDING } from '#contract/text/fold.ts'
import { searchable, searchablePerson } from '#server/rules/search-grams.ts'

export const PEOPLE = 10_000
export const POSTS = 100_000
export const LIKES = 1_000_000
const COMMENTS = 300_000
/** The first people have plans; the more followers a person has, the lower their number. */
const CREATORS = 500
/** The callers: people from the whole range, each with a session. */
export const VIEWERS = 64

/** Runs one statement, on PostgreSQL or in the embedded database. */
export type RunSql = (sql: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

const kinds = { person: 1, post: 2, media: 3, plan: 4, comment: 5, session: 6 } as const

/** The id of the nth row of a kind, the same in every database. */
export function idOf(kind: keyof typeof kinds, n: number): string {
  return `0000000${kinds[kind]}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

/** The number of the person of the nth session. */
export const viewerNumber = (n: number): number => 1 + n * Math.floor(PEOPLE / VIEWERS)

/** The token of the nth session. */
export const tokenOf = (n: number): string => `bench-session-number-${n}`

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

const uid = (kind: keyof typeof kinds, n: string): string =>
  `('0000000${kinds[kind]}-0000-7000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`

/** A number from 1 to `all`; the larger the power, the more often a low one. */
const uneven = (all: number, power: number): string =>
  `(1 + floor(${all} * power(random(), ${power})))::bigint`

const words = [
  '今朝の海は静かでした。',
  '新しい写真集の撮影が終わりました。',
  'ライブの感想をひとことずつ。',
  '夕焼けを見ながら帰り道。',
  '#練習記録 今日も三時間。',
  'コーヒーと焼き菓子の時間。',
  'リハーサルの様子を少しだけ。',
  '次の配信は金曜の夜八時から。',
  '窓辺の猫がよく眠っています。',
  '衣装合わせの一枚。',
  '手紙をありがとうございます。',
  '旅先の市場で見つけたもの。',
]
const word = (salt: string): string =>
  `(array[${words.map((it) => `'${it}'`).join(',')}])[1 + (abs(hashtext(n::text || '${salt}')) % ${words.length})]`

const people = [
  `insert into users (id, email, password_hash, name, birth_date, handle, bio, created_at)
   select ${uid('person', 'n')}, 'person' || n || '@bench.example', 'none', '町の人' || n, '1990-04-01',
     'person_' || n, ${word('bio')}, now() - interval '400 days' from generate_series(1, ${PEOPLE}) n`,
  `insert into user_settings (user_id, message_from, shows_age_limited, updated_at)
   select ${uid('person', 'n')}, 'everyone', true, now() from generate_series(1, ${PEOPLE}, 2) n`,
  `insert into follows (follower_id, followed_id, created_at)
   select distinct on (follower, followed) ${uid('person', 'follower')}, ${uid('person', 'followed')},
     now() - random() * interval '300 days'
   from (select n as follower, ${uneven(PEOPLE, 2.5)} as followed
     from generate_series(1, ${PEOPLE}) n,
       generate_series(1, (5 + abs(hashtext(n::text)) % 60 + case when n % 50 = 0 then 400 else 0 end)) k) f
   where follower <> followed`,
  `insert into blocks (blocker_id, blocked_id, created_at)
   select distinct on (a, b) ${uid('person', 'a')}, ${uid('person', 'b')}, now()
   from (select ${uneven(PEOPLE, 1)} a, ${uneven(PEOPLE, 1)} b from generate_series(1, 3000)) x where a <> b`,
  `insert into mutes (muter_id, muted_id, created_at)
   select distinct on (a, b) ${uid('person', 'a')}, ${uid('person', 'b')}, now()
   from (select ${uneven(PEOPLE, 1)} a, ${uneven(PEOPLE, 2)} b from generate_series(1, 5000)) x where a <> b`,
]

/** SQL condition for generated posts: those of demo people are not changed. */
const generatedOnly = `p.id < '${idOf('media', 0)}'`

const posts = [
  `insert into plans (id, creator_id, name, price, created_at)
   select ${uid('plan', 'n')}, ${uid('person', '1 + (n - 1) / 2')}, 'プラン' || n, 300 + 200 * (n % 5), now()
   from generate_series(1, ${CREATORS * 2}) n`,
  `insert into plan_members (plan_id, user_id, joined_at)
   select ${uid('plan', uneven(CREATORS * 2, 2))}, ${uid('person', uneven(PEOPLE, 1))}, now()
   from generate_series(1, 20000) on conflict do nothing`,
  `insert into plan_members (plan_id, user_id, joined_at)
   select ${uid('plan', '1 + v * 7')}, ${uid('person', `1 + v * ${Math.floor(PEOPLE / VIEWERS)}`)}, now()
   from generate_series(0, ${VIEWERS - 1}) v on conflict do nothing`,
  `create temp table post_rows as select n, ${uneven(PEOPLE, 2)} as author, random() as fate from generate_series(1, ${POSTS}) n`,
  `insert into posts (id, author_id, type, content, is_age_limited, price, created_at, released_at)
   select ${uid('post', 'n')}, ${uid('person', 'author')}, type, ${word('a')} || ${word('b')} || chr(10) || ${word('c')},
     n % 40 = 0, case when type = 3 then 500 end, at, at
   from (select n, author, case when author <= ${CREATORS} and fate < 0.15 then 2 when fate > 0.93 then 3 else 1 end as type,
     now() - (${POSTS} - n) * interval '5 minutes' as at from post_rows) x order by n`,
  `insert into post_plans (post_id, plan_id)
   select p.id, l.id from posts p join plans l on l.creator_id = p.author_id where p.type = 2 and ${generatedOnly}`,
  `insert into uploads (id, owner_id, length, metadata, finished_at, created_at, touched_at)
   select ${uid('media', 'n')}, ${uid('person', 'author')}, 400000, '{}', now(), now(), now() from post_rows where n % 2 = 0`,
  `insert into media (id, kind, mime, state, width, height, made, created_at)
   select ${uid('media', 'n')}, 'image', 'image/jpeg', 'ready', 1600, 1200,
     '{"widths":[480,960,1600],"poster":false,"blurred":true,"hash":"3OcRJYB4d3h/iIeHeEh3eIhw+j2w"}', now()
   from post_rows where n % 2 = 0`,
  `insert into post_media (post_id, media_id, role, position, alt)
   select ${uid('post', 'n')}, ${uid('media', 'n')}, 'image', 0, '' from post_rows where n % 2 = 0`,
  `insert into post_purchases (post_id, user_id, price, bought_at)
   select id, ${uid('person', uneven(PEOPLE, 1))}, price, now() from posts p where type = 3 and ${generatedOnly}`,
]

const reactions = [
  `insert into post_likes (post_id, user_id, created_at)
   select distinct on (p, u) ${uid('post', 'p')}, ${uid('person', 'u')}, now() - random() * interval '300 days'
   from (select ${POSTS + 1} - ${uneven(POSTS, 2)} p, ${uneven(PEOPLE, 1)} u
     from generate_series(1, ${Math.round(LIKES * 1.02)})) x limit ${LIKES}`,
  // Of every three comments on a post the third answers the second.
  `create temp table comment_rows as select n, case when n % 3 = 0 then n - 1 end as parent,
     first_value(post) over (partition by (n - 1) / 3 order by n) as p, ${uneven(PEOPLE, 1)} as author
   from (select n, ${POSTS + 1} - ${uneven(POSTS, 2)} as post from generate_series(1, ${COMMENTS}) n) x`,
  `insert into comments (id, post_id, author_id, parent_id, content, created_at)
   select ${uid('comment', 'n')}, ${uid('post', 'p')}, ${uid('person', 'author')},
     case when parent is not null then ${uid('comment', 'parent')} end, ${word('said')},
     now() - (${COMMENTS} - n) * interval '1 minute' from comment_rows`,
]

/** Counts that triggers maintain (decision 024), computed once at the end. */
const counts = [
  `insert into post_counts (post_id, likes, comments)
   select id, coalesce(l.n, 0), coalesce(c.n, 0) from posts
   left join (select post_id, count(*) n from post_likes group by post_id) l on l.post_id = id
   left join (select post_id, count(*) n from comments group by post_id) c on c.post_id = id
   where l.n > 0 or c.n > 0 on conflict do nothing`,
  `insert into comment_counts (comment_id, replies)
   select parent_id, count(*) from comments where parent_id is not null group by parent_id on conflict do nothing`,
  `insert into person_counts (user_id, followers, following)
   select id, coalesce(a.n, 0), coalesce(b.n, 0) from users
   left join (select followed_id, count(*) n from follows group by followed_id) a on a.followed_id = id
   left join (select follower_id, count(*) n from follows group by follower_id) b on b.follower_id = id
   where a.n > 0 or b.n > 0 on conflict do nothing`,
]

function sessions(): string {
  const rows = Array.from({ length: VIEWERS }, (_, n) => {
    const values = [hashOf(tokenOf(n)), idOf('session', n), idOf('person', viewerNumber(n))]
    return `('${values.join("', '")}', now(), now() + interval '1 day', now() + interval '300 days')`
  })
  // Last used in the future, so that recording a session's use is not measured.
  return `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at) values ${rows.join(', ')}`
}

/** Adds the index entries of posts and people, by the product's own rule; computed once for each text. */
export async function fillSearch(run: RunSql): Promise<void> {
  await run('create temp table indexed_texts (content text primary key, grams text[], folded text)')
  const { rows } = (await run('select distinct content from posts')) as { rows: { content: string }[] }
  for (const { content } of rows) {
    const { grams, folded } = searchable(content)
    await run('insert into indexed_texts values ($1, $2, $3)', [content, grams, folded])
  }
  await run(`insert into post_search (post_id, released_at, grams, folded, folding)
    select id, released_at, array_to_tsvector(indexed_texts.grams), indexed_texts.folded, ${FOLDING} from posts join indexed_texts using (content)
    on conflict do nothing`)
  await run('drop table indexed_texts')
  const { rows: all } = (await run('select id, name, handle, bio from users')) as { rows: Searched[] }
  for (let from = 0; from < all.length; from += BATCH_ROWS) {
    const batch = all.slice(from, from + BATCH_ROWS).map((it) => ({ id: it.id, ...searchablePerson(it) }))
    await run(
      `insert into person_search (user_id, name, grams, folded, folding) select id, name, array_to_tsvector(grams), folded, ${FOLDING}
       from json_to_recordset($1::json) as it(id uuid, name text, grams text[], folded text) on conflict do nothing`,
      [JSON.stringify(batch)],
    )
  }
}

/** Rows of one statement. */
const BATCH_ROWS = 500

interface Searched {
  id: string
  name: string
  handle: string | null
  bio: string
}

const large = ['follows', 'posts', 'post_likes', 'comments', 'post_search', 'person_search']

/** Indexes without dependants are rebuilt after the rows: updating them row by row takes many times as long. */
async function withoutIndexes(run: RunSql, fill: () => Promise<void>): Promise<void> {
  const { rows } = (await run(`select indexname, indexdef from pg_indexes where schemaname = 'public'
    and tablename in ('${large.join("', '")}') and indexname not in (select conname from pg_constraint)`)) as {
    rows: { indexname: string; indexdef: string }[]
  }
  const { rows: keys } =
    (await run(`select conrelid::regclass::text as tab, conname, pg_get_constraintdef(oid) as def
    from pg_constraint where contype = 'p' and conrelid in ('follows'::regclass, 'post_likes'::regclass)`)) as {
      rows: { tab: string; conname: string; def: string }[]
    }
  for (const it of rows) await run(`drop index "${it.indexname}"`)
  for (const it of keys) await run(`alter table ${it.tab} drop constraint "${it.conname}"`)
  await fill()
  for (const it of keys) await run(`alter table ${it.tab} add constraint "${it.conname}" ${it.def}`)
  for (const it of rows) await run(it.indexdef)
}

/** Posts and people that every caller may read. */
export interface PublicData {
  readonly posts: readonly string[]
  readonly authors: readonly string[]
}

/** Reads open posts, newest first, and their authors, of whom none has a block with a caller. */
export async function publicData(run: RunSql): Promise<PublicData> {
  const callers = Array.from({ length: VIEWERS }, (_, n) => `'${idOf('person', viewerNumber(n))}'`).join(', ')
  const { rows } = (await run(`select id, author_id from posts p
    where type = 1 and not is_age_limited and ${generatedOnly} and not exists (select 1 from blocks
      where blocker_id = p.author_id and blocked_id in (${callers})
        or blocked_id = p.author_id and blocker_id in (${callers}))
    order by released_at desc limit 5000`)) as { rows: { id: string; author_id: string }[] }
  return { posts: rows.map((row) => row.id), authors: [...new Set(rows.map((row) => row.author_id))] }
}

/** Fills a migrated database with triggers disabled; their counts are computed once, at the end. */
export async function fillDatabase(run: RunSql): Promise<void> {
  await run('set session_replication_role = replica')
  await run('select setseed(0.5)')
  await withoutIndexes(run, async () => {
    for (const sql of [...people, ...posts, ...reactions]) await run(sql)
    await fillSearch(run)
  })
  for (const sql of [...counts, sessions()]) await run(sql)
  await run('drop table post_rows')
  await run('drop table comment_rows')
  await run('set session_replication_role = default')
  await run('vacuum analyze')
  // Writes all pages now, so that the checkpoint is not measured.
  await run('checkpoint')
}
