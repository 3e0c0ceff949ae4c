// Commands about jobs: their counts, failed ones, and trying or dropping them.
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { id as idSchema } from '#contract/ids.ts'
import { dropFailed, retryFailed } from '#server/modules/machine/jobs.ts'
import { countJobs, listFailedJobs, type WhichJobs } from '#server/store/operated-jobs.ts'
import type { Command } from './command.ts'
import { wrongCall } from './wrong-call.ts'

const MOST = 50
const states = { waiting: '待機', running: '実行中', failed: '失敗' } as const

/** The parameters of a command; undefined for wrong ones. */
function valuesOf(args: readonly string[], names: readonly string[]): Record<string, string> | undefined {
  try {
    const options = Object.fromEntries(names.map((it) => [it, { type: 'string' as const }]))
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length > 1) return undefined
    return {
      ...(values as Record<string, string>),
      ...(positionals[0] !== undefined && { id: positionals[0] }),
    }
  } catch {
    return undefined
  }
}

export const jobsList: Command = {
  usage: 'jobs list [--name <種類>]',
  summary: '待機中、実行中、失敗した処理の数と、失敗した処理の理由を表示します',
  async run({ deps: { database }, args, print }) {
    const values = valuesOf(args, ['name'])
    if (!values || values['id'] !== undefined) return wrongCall(print, this.usage)
    const { name } = values
    const counts = (await countJobs(database)).filter((it) => name === undefined || it.name === name)
    if (counts.length === 0) print('処理はありません。')
    for (const it of counts)
      print(`${it.name}  ${states[it.state]} ${it.count}件  最も古いもの ${it.since.toISOString()}`)
    const failed = await listFailedJobs(database, name, MOST)
    if (failed.length > 0) print(`失敗した処理（新しい順に${MOST}件まで）:`)
    for (const it of failed)
      print(`  ${it.id}  ${it.name}  ${it.failedAt.toISOString()}  ${it.tries}回  ${it.reason}`)
    return failed.length === 0 ? 0 : 1
  },
}

/** The failed jobs that a command is about; undefined for wrong parameters. */
function whichOf(args: readonly string[]): WhichJobs | undefined {
  const values = valuesOf(args, ['name'])
  if (!values) return undefined
  const { id, name } = values
  if (id !== undefined && name === undefined) return v.is(idSchema, id) ? { id } : undefined
  return name !== undefined && id === undefined ? { name } : undefined
}

const by = { actorId: NO_ID, ip: '' } as const

export const jobsRetry: Command = {
  usage: 'jobs retry <ID> | --name <種類>',
  summary: '失敗した処理を、もう一度実行します',
  async run({ deps, args, print }) {
    const it = whichOf(args)
    if (!it) return wrongCall(print, this.usage)
    const count = await retryFailed(deps, it, by)
    print(
      count === 0 ? '失敗した処理はありません。' : `${count}件を実行待ちにしました。1分以内に始まります。`,
    )
    return count === 0 ? 1 : 0
  },
}

export const jobsDrop: Command = {
  usage: 'jobs drop <ID> | --name <種類>',
  summary: '失敗した処理を、実行せずに削除します',
  async run({ deps, args, print }) {
    const it = whichOf(args)
    if (!it) return wrongCall(print, this.usage)
    const count = await dropFailed(deps, it, by)
    print(count === 0 ? '失敗した処理はありません。' : `${count}件を削除しました。`)
    return count === 0 ? 1 : 0
  },
}
