// Environment variables of PostgreSQL: the primary, and its read replicas.
import * as v from 'valibot'

/** Each server compares every replica once a second, and has up to four connections to each. */
const MAX_REPLICAS = 8

const address = v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//), v.url())

export const databaseVariables = {
  DATABASE_URL: v.optional(v.union([v.literal(''), v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//))]), ''),
  DATABASE_REPLICA_URLS: v.optional(
    v.pipe(
      v.string(),
      // A comma in a password is written as %2C.
      v.transform((it) =>
        it
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== ''),
      ),
      v.array(address),
      v.maxLength(MAX_REPLICAS),
      v.check((it) => new Set(it).size === it.length),
    ),
    '',
  ),
}

type Given = v.InferOutput<v.ObjectSchema<typeof databaseVariables, undefined>>

export const databaseWanted: Record<keyof typeof databaseVariables, string> = {
  DATABASE_URL: '空にするか、postgres:// で始まる URL にしてください',
  DATABASE_REPLICA_URLS: `postgres:// で始まる、互いに異なる URL を、カンマで区切って ${MAX_REPLICAS} 個まで並べてください（URL の中のカンマは %2C）`,
}

/** Sentences about variables that do not fit each other. */
export function wrongOfDatabase({ DATABASE_URL, DATABASE_REPLICA_URLS }: Given): string[] {
  if (DATABASE_REPLICA_URLS.length === 0) return []
  if (DATABASE_URL === '')
    return [
      '環境変数 DATABASE_REPLICA_URLS を設定するときは、DATABASE_URL も設定してください。内蔵のデータベースに、レプリカはありません。',
    ]
  return DATABASE_REPLICA_URLS.includes(DATABASE_URL)
    ? ['環境変数 DATABASE_REPLICA_URLS には、DATABASE_URL とは別の URL を並べてください。']
    : []
}
