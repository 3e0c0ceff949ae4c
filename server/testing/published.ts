// Adds released posts to a test server without API calls.
import { newId } from '#contract/ids.ts'
import type { Member } from './people/members.ts'
import type { World } from './world.ts'

interface Published {
  readonly type?: 1 | 2 | 3
  readonly content?: string
  readonly price?: number
  readonly released?: boolean
  readonly ageLimited?: boolean
}

/** @returns the post's id */
export async function publish(world: World, author: Member, post: Published = {}): Promise<string> {
  const id = newId()
  const at = new Date(world.clock.now).toISOString()
  const { type = 1, content = '本文', price = null, released = true, ageLimited = false } = post
  await world.database.executeSql(
    `insert into posts (id, author_id, type, content, is_age_limited, price, created_at, released_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, author.id, type, content, ageLimited, price, at, released ? at : null],
  )
  return id
}
