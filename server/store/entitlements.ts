// What is known of a member that opens posts to them, or closes posts.
import { apartFrom } from './blocks.ts'
import type { Db } from './database.ts'
import { joinedPlanIds } from './plans.ts'
import { boughtAmong } from './posts.ts'
import { privacyOf } from './settings.ts'

export interface EntitlementsRow {
  readonly joinedPlans: ReadonlySet<string>
  readonly boughtPosts: ReadonlySet<string>
  readonly showsAgeLimited: boolean
  readonly apartFrom: ReadonlySet<string>
}

const nothing: EntitlementsRow = {
  joinedPlans: new Set(),
  boughtPosts: new Set(),
  showsAgeLimited: false,
  apartFrom: new Set(),
}

/** What a member has with regard to these posts at this moment; nothing for a visitor. */
export async function entitlementsOf(
  db: Db,
  userId: string | undefined,
  posts: readonly { readonly id: string; readonly authorId: string }[],
  now: number,
): Promise<EntitlementsRow> {
  if (userId === undefined) return nothing
  const ids = posts.map((it) => it.id)
  const authors = posts.map((it) => it.authorId)
  return {
    joinedPlans: await joinedPlanIds(db, userId, now),
    boughtPosts: await boughtAmong(db, userId, ids),
    showsAgeLimited: (await privacyOf(db, userId)).showsAgeLimited,
    apartFrom: await apartFrom(db, userId, authors),
  }
}
