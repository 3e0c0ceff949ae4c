// A person with 1,000,000 messages, and 500 pairs who write to each other.
import { createHash } from 'node:crypto'
import { searchable } from '#server/rules/search-grams.ts'
import { fillSearch, type RunSql } from './feed-data.ts'

/** Messages of the longest conversation, and of each other one of the reader. */
export const LONGEST = 100_000
const USUAL = 20_000
/** Conversations of the reader. */
const CONVERSATIONS = 46
export const MESSAGES = LONGEST + (CONVERSATIONS - 1) * USUAL
/** Pairs of people with an open conversation. */
export const PAIRS = 500

const kinds = { reader: 1, other: 2, first: 3, second: 4, talk: 5, chat: 6, message: 7, session: 8 } as const

/** The id of the nth row of a kind; lower kinds have lower ids. */
export const idOf = (kind: keyof typeof kinds, n: number): string =>
  `0000000${kinds[kind]}-0000-7000-a000-${n.toString(16).padStart(12, '0')}`

export const readerToken = 'bench-session-of-reader'
export const firstToken = (n: number): string => `bench-session-of-first-${n}`
export const secondToken = (n: number): string => `bench-session-of-second-${n}`

/** A word in about one of 10,000 messages, and one in every fourth. */
export const RARE = 'ひまわり'
export const FREQUENT = '写真'

const sentences = [
  '今日の写真をありがとうございました。',
  '次のライブを楽しみにしています！',
  'お返事が遅くなってごめんなさい。',
  '明日の夜八時から配信します。',
]
const places = ['海', '山', '駅前', '公園', '図書館', '喫茶店', '市場', '会場', '学校', '港']
const texts = sentences.flatMap((it) => places.map((place) => `${place}にいます。${it}`))

const uid = (kind: keyof typeof kinds, n: string): string =>
  `('0000000${kinds[kind]}-0000-7000-a000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`

const people = (kind: 'reader' | 'other' | 'first' | 'second', count: number): string =>
  `insert into users (id, email, password_hash, name, birth_date, created_at)
   select ${uid(kind, 'n')}, '${kind}' || n || '@bench.example', 'none', '会員' || n, '1990-04-01', now() - interval '90 days'
   from generate_series(1, ${count}) n`

/** The conversation of a message of the reader, from its number. */
const talk = `case when n <= ${LONGEST} then 1 else 2 + (n - ${LONGEST} - 1) / ${USUAL} end`
const seq = `case when n <= ${LONGEST} then n else 1 + (n - ${LONGEST} - 1) % ${USUAL} end`
const sender = `case when x.n % 2 = 0 then ${uid('reader', '1')} else ${uid('other', 'talk')} end`
const sentAt = `now() - interval '60 days' + x.n * interval '5 seconds'`
const ofReader = `from (select n, ${talk} as talk, ${seq} as seq, case when n % 10007 = 5 then 0 else 1 + n % ${texts.length} end as line
  from generate_series(1, ${MESSAGES}) n) x join texts on texts.n = x.line`

const lengthOf = (n: string) => `case when ${n} = 1 then ${LONGEST} else ${USUAL} end`

function conversation(
  kind: 'talk' | 'chat',
  n: number,
  length: number,
  two: readonly [string, string],
): string {
  return `('${idOf(kind, n)}', '${two.toSorted().join(':')}', ${length}, ${length}, now() - interval '70 days')`
}

const membersOf = (kind: 'talk' | 'chat', who: string, count: number, length: string): string =>
  `insert into conversation_members (conversation_id, user_id, state, read_seq, delivered_seq, last_at)
   select ${uid(kind, 'n')}, ${who}, 'accepted', ${length}, ${length}, now() - n * interval '1 hour' from generate_series(1, ${count}) n`

function conversations(): string[] {
  const talks = Array.from({ length: CONVERSATIONS }, (_, i) =>
    conversation('talk', i + 1, i === 0 ? LONGEST : USUAL, [idOf('reader', 1), idOf('other', i + 1)]),
  )
  const chats = Array.from({ length: PAIRS }, (_, i) =>
    conversation('chat', i + 1, 0, [idOf('first', i + 1), idOf('second', i + 1)]),
  )
  return [
    `insert into conversations (id, pair, last_seq, last_change, created_at) values ${[...talks, ...chats].join(', ')}`,
    membersOf('talk', uid('reader', '1'), CONVERSATIONS, lengthOf('n')),
    membersOf('talk', uid('other', 'n'), CONVERSATIONS, lengthOf('n')),
    membersOf('chat', uid('first', 'n'), PAIRS, '0'),
    membersOf('chat', uid('second', 'n'), PAIRS, '0'),
  ]
}

/** Entries of one side. As the product writes them (`limitLexemes` in server/store/messages/message-index.ts). */
const indexed = (userId: string, isOwn: string): string =>
  `insert into message_search (user_id, message_id, conversation_id, seq, sent_at, grams, folded)
   select ${userId}, ${uid('message', 'x.n')}, ${uid('talk', 'talk')}, seq, ${sentAt},
     array_to_tsvector(texts.grams || array[' u:' || replace((${userId})::text, '-', ''),
       ' c:' || replace((${uid('talk', 'talk')})::text, '-', ''), case when ${isOwn} then ' from:me' else ' from:other' end]), texts.folded ${ofReader}`

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

function sessions(): string {
  const holders: (readonly [token: string, userId: string])[] = [[readerToken, idOf('reader', 1)]]
  for (let n = 1; n <= PAIRS; n++)
    holders.push([firstToken(n), idOf('first', n)], [secondToken(n), idOf('second', n)])
  const values = holders.map(([token, userId], n) => {
    const ids = [hashOf(token), idOf('session', n), userId]
    return `('${ids.join("', '")}', now(), now() + interval '1 day', now() + interval '300 days')`
  })
  return `insert into sessions (token_hash, id, user_id, created_at, last_used_at, expires_at) values ${values.join(', ')}`
}

/** Fills a migrated database with triggers disabled. Indexes are made after the rows. */
export async function fillMessages(run: RunSql): Promise<void> {
  await run('set session_replication_role = replica')
  await run('create temp table texts (n integer primary key, content text, grams text[], folded text)')
  for (const [n, content] of [`${RARE}が咲きました。`, ...texts].entries()) {
    const { grams, folded } = searchable(content)
    await run('insert into texts values ($1, $2, $3, $4)', [n, content, grams, folded])
  }
  for (const sql of [
    people('reader', 1),
    people('other', CONVERSATIONS),
    people('first', PAIRS),
    people('second', PAIRS),
    ...conversations(),
  ])
    await run(sql)
  const { rows } = (await run(`select indexname, indexdef from pg_indexes where schemaname = 'public'
    and tablename in ('messages', 'message_search') and indexname not in (select conname from pg_constraint)`)) as {
    rows: { indexname: string; indexdef: string }[]
  }
  for (const it of rows) await run(`drop index "${it.indexname}"`)
  await run(`insert into messages (id, conversation_id, seq, change, sender_id, content, sent_at)
    select ${uid('message', 'x.n')}, ${uid('talk', 'talk')}, seq, seq, ${sender}, texts.content, ${sentAt} ${ofReader}`)
  await run(indexed(uid('reader', '1'), 'x.n % 2 = 0'))
  await run(indexed(uid('other', 'talk'), 'x.n % 2 = 1'))
  for (const it of rows) await run(it.indexdef)
  await run(sessions())
  await run('drop table texts')
  // Without it the product indexes everyone while it is measured.
  await fillSearch(run)
  await run('set session_replication_role = default')
  await run('vacuum analyze')
  await run('checkpoint')
}
