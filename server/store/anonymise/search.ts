// Entries of the search index after the texts were replaced.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { limitLexemes } from '#server/store/messages/message-index.ts'

const BATCH = 4000

/** A text that the index has; `name` of a person alone. */
interface Indexed {
  readonly folded: string
  readonly grams: readonly string[]
  readonly name?: string
}

async function query<T>(tx: Db, text: ReturnType<typeof sql>): Promise<T[]> {
  return ((await tx.execute(text)) as { rows: T[] }).rows
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const gramsOf = sql`array_to_tsvector(array(select jsonb_array_elements_text(made.grams)))`
const madeRows = (rows: readonly object[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made(id uuid, "userId" uuid, folded text, name text, grams jsonb)`

/** Fills the entries of posts. @param index the rule of the search */
export async function indexPosts(tx: Db, index: (content: string) => Indexed): Promise<void> {
  for (let after = NO_ID; ;) {
    const rows = await query<{ id: string; content: string }>(
      tx,
      sql`select s.post_id as id, p.content from post_search s join posts p on p.id = s.post_id
        where s.post_id > ${after} order by s.post_id limit ${BATCH}`,
    )
    if (rows.length === 0) return
    const made = rows.map(({ id, content }) => ({ id, ...index(content) }))
    await tx.execute(sql`update post_search set folded = made.folded, grams = ${gramsOf}
      from ${madeRows(made)} where post_id = made.id`)
    after = rows.at(-1)?.id ?? after
  }
}

export interface IndexedProfile {
  readonly name: string
  readonly handle: string | null
  readonly bio: string
}

/** Fills the entries of people. */
export async function indexPeople(tx: Db, index: (profile: IndexedProfile) => Indexed): Promise<void> {
  for (let after = NO_ID; ;) {
    const rows = await query<IndexedProfile & { id: string }>(
      tx,
      sql`select s.user_id as id, u.name, u.handle, u.bio from person_search s join users u on u.id = s.user_id
        where s.user_id > ${after} order by s.user_id limit ${BATCH}`,
    )
    if (rows.length === 0) return
    const made = rows.map((it) => ({ id: it.id, ...index(it) }))
    await tx.execute(sql`update person_search set name = made.name, folded = made.folded, grams = ${gramsOf}
      from ${madeRows(made)} where user_id = made.id`)
    after = rows.at(-1)?.id ?? after
  }
}

interface EntryRow {
  readonly id: string
  readonly userId: string
  readonly conversationId: string
  readonly isOwn: boolean
  readonly content: string
  readonly kinds: readonly ('image' | 'video')[]
}

/** Fills the entries of messages, one for each person who sees the message. Neutral texts have no links. */
export async function indexMessages(tx: Db, index: (content: string) => Indexed): Promise<void> {
  for (let after = { id: NO_ID, userId: NO_ID }; ;) {
    const rows = await query<EntryRow>(
      tx,
      sql`select s.message_id as id, s.user_id as "userId", s.conversation_id as "conversationId",
          m.sender_id = s.user_id as "isOwn", m.content, array(select distinct f.kind from message_media h
            join media f on f.id = h.media_id where h.message_id = s.message_id) as kinds
        from message_search s join messages m on m.id = s.message_id
        where (s.user_id, s.message_id) > (${after.userId}, ${after.id})
        order by s.user_id, s.message_id limit ${BATCH}`,
    )
    const last = rows.at(-1)
    if (!last) return
    const made = rows.map(({ id, userId, conversationId, isOwn, content, kinds }) => {
      const { folded, grams } = index(content)
      const limits = [
        limitLexemes.person(userId),
        limitLexemes.conversation(conversationId),
        limitLexemes.writer(isOwn),
        ...kinds.map(limitLexemes.part),
      ]
      return { id, userId, folded, grams: [...grams, ...limits] }
    })
    await tx.execute(sql`update message_search set folded = made.folded, grams = ${gramsOf}
      from ${madeRows(made)} where message_id = made.id and user_id = made."userId"`)
    after = last
  }
}
