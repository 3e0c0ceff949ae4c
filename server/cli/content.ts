// What the database has: printed beside results that an empty one would have too.
import type { Deps } from '#server/deps.ts'
import { countRowsOfBackup } from '#server/store/backup/facts.ts'

export async function contentOf({ db }: Pick<Deps, 'db'>): Promise<string> {
  const { people, posts, paid_payments: payments } = await countRowsOfBackup(db)
  return `このデータベースの内容: ユーザー${people}人、投稿${posts}件、支払い済み${payments}件`
}
