// Commands about jobs: their counts, failed ones, and trying or dropping them.
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { id as idSchema } from '#contract/ids.ts'
import { dropFailed, retryFailed } from '#server/modules/machine/jobs.ts'
import {
  countJobs,
  type JobCount,
  listFailedJobs,
  listOverdueJobs,
  type WhichJobs,
} from '#server/store/operated-jobs.ts'
import type { Command } from './command.ts'
import { wrongCall } from './wrong-call.ts'

const MOST = 50
const states = { waiting: '待機', running: '実行中', failed: '失敗' } as const

/** Such as `1時間5分` and `40秒`. */
function durationOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}秒`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}分` : `${Math.floor(minutes / 60)}時間${minutes % 60}分`
}

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
  summary: '待機中、実行中、失敗した処理の数と、止まった処理、失敗した処理の理由を表示します',
  async run({ deps: { database, clock }, args, print }) {
    const values = valuesOf(args, ['name'])
    if (!values || values['id'] !== undefined) return wrongCall(print, this.usage)
    const { name } = values
    const counts = (await countJobs(database)).filter((it) => name === undefined || it.name === name)
    if (counts.length === 0) print('処理はありません。')
    for (const it of counts) print(lineOf(it, clock()))
    const overdue = await listOverdueJobs(database, name, MOST)
    if (overdue.length > 0)
      print(
        `止まった処理（担当のサーバーが応答しないか、時間がかかりすぎているもの。古い順に${MOST}件まで）。動いているサーバーが1分ほどで実行し直します。すぐに実行し直すには jobs retry を使ってください:`,
      )
    for (const it of overdue)
      print(`  ${it.id}  ${it.name}  開始から${durationOf(clock() - it.startedAt.getTime())}`)
    const failed = await listFailedJobs(database, name, MOST)
    if (failed.length > 0) print(`失敗した処理（新しい順に${MOST}件まで）:`)
    for (const it of failed)
      print(`  ${it.id}  ${it.name}  ${it.failedAt.toISOString()}  ${it.tries}回  ${it.reason}`)
    return failed.length + overdue.length === 0 ? 0 : 1
  },
}

function lineOf({ name, state, count, since, runsSince, overdue }: JobCount, now: number): string {
  const age = runsSince ? `  開始から${durationOf(now - runsSince.getTime())}` : ''
  const late = overdue > 0 ? `  うち止まったもの ${overdue}件` : ''
  return `${name}  ${states[state]} ${count}件  最も古いもの ${since.toISOString()}${age}${late}`
}

/** The jobs that a command is about; undefined for wrong parameters. */
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
  summary: '失敗した処理と止まった処理を、もう一度実行します',
  async run({ deps, args, print }) {
    const it = whichOf(args)
    if (!it) return wrongCall(print, this.usage)
    const count = await retryFailed(deps, it, by)
    print(
      count === 0
        ? '失敗した処理も、止まった処理もありません。'
        : `${count}件を実行待ちにしました。1分以内に始まります。`,
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
