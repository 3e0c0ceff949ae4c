// Environment variable of what a server process does: requests, jobs, or both.
import * as v from 'valibot'
import { serviceOf } from './realtime.ts'

export const roleVariables = {
  ROLE: v.optional(v.picklist(['all', 'web', 'worker']), 'all'),
}

export const roleWanted: Record<keyof typeof roleVariables, string> = {
  ROLE: 'all・web・worker のどれかにしてください',
}

interface Given {
  readonly ROLE: 'all' | 'web' | 'worker'
  readonly DATABASE_URL: string
  readonly REDIS_URL: string
}

/** Sentences about variables without which two processes cannot share the work. */
export function wrongOfRole(env: Given & Parameters<typeof serviceOf>[0]): string[] {
  if (env.ROLE === 'all') return []
  const sentences: string[] = []
  if (env.DATABASE_URL === '')
    sentences.push(
      '環境変数 ROLE を web か worker にするときは、DATABASE_URL も設定してください。内蔵のデータベースは、1つのプロセスでしか使えません。',
    )
  if (env.REDIS_URL === '' && !serviceOf(env))
    sentences.push(
      '環境変数 ROLE を web か worker にするときは、REDIS_URL も設定してください。設定しないと、worker からの更新が、開いている画面に届きません。',
    )
  return sentences
}
