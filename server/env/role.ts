// Environment variables of what a server process does: requests, jobs, or both.
import * as v from 'valibot'
import { serviceOf } from './realtime.ts'

export const roleVariables = {
  ROLE: v.optional(v.picklist(['all', 'web', 'worker']), 'all'),
  /** Shorter ones only in tests: a busy machine renews leases late. */
  JOB_LEASE_SECONDS: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(2), v.maxValue(600)),
    '45',
  ),
}

export const roleWanted: Record<keyof typeof roleVariables, string> = {
  ROLE: 'all・web・worker のどれかにしてください',
  JOB_LEASE_SECONDS: '2〜600 の数字（秒）にしてください',
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
