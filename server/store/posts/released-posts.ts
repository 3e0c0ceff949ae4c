// Released posts of people who stay, newest first: of one author, or of everybody. Ids break ties.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import {
  factsOf,
  type FactsRow,
  type Look,
  lookOf,
  lookTypes,
  type PostFacts,
  toFacts,
} from './post-facts.ts'
import { type OlderThan, olderThan, olderTypes, type PageStart } from './posts.ts'
import { type Places, statement } from '#server/store/statement.ts'

interface Asked extends Look, OlderThan {
  readonly author: string | null
  /** Null for every type. */
  readonly type: 1 | 2 | 3 | null
}

const types = { ...lookTypes, ...olderTypes, author: 'uuid', type: 'smallint' } as const

export interface Wanted {
  readonly authorId?: string | undefined
  readonly type?: 1 | 2 | 3 | undefined
  readonly after: PageStart | undefined
}

/** Asks for a page of so many posts. */
export function releasedPages(
  limit: number,
): (db: Db, viewerId: string | undefined, wanted: Wanted, now: number) => Promise<PostFacts[]> {
  const page = (which: (place: Places<Asked>) => SQL) =>
    statement<Asked, FactsRow>(types, (place) =>
      factsOf(
        sql`select id from posts where released_at is not null and deleted_at is null ${which(place)}
          and (released_at, id) < (${place('olderAt')}, ${place('olderId')})
          and not exists (select 1 from deletions where deletions.user_id = posts.author_id)
        order by released_at desc, id desc limit ${sql.raw(String(limit))}`,
        place,
      ),
    )
  const whose = (place: Places<Asked>) => sql`and author_id = ${place('author')}`
  const ofType = (place: Places<Asked>) => sql`and type = ${place('type')}`
  // Without a condition on the type, an index alone has the page: with one, all posts of the author are read.
  const theirs = { all: page(whose), ofType: page((place) => sql`${whose(place)} ${ofType(place)}`) }
  const everybodys = { all: page(() => sql``), ofType: page(ofType) }
  return async (db, viewerId, { authorId = null, type = null, after }, now) => {
    const filter = { ...lookOf(viewerId, now), ...olderThan(after), author: authorId, type }
    const pages = authorId === null ? everybodys : theirs
    return (await pages[type === null ? 'all' : 'ofType'](db, filter)).map(toFacts)
  }
}
