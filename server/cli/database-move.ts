// Moves the embedded database of a data folder to PostgreSQL.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openPostgres, openSingleSession, type SingleSession } from '#server/adapters/database/database.ts'
import { openFolder } from '#server/adapters/database/embedded/embedded.ts'
import { lockFolder } from '#server/adapters/database/folder-lock.ts'
import { MoveFailed, moveRows } from '#server/adapters/database/moving/move-rows.ts'
import { openSource } from '#server/adapters/database/moving/source.ts'
import { hasEmbedded } from '#server/adapters/database/snapshot.ts'
import { readCopyFacts } from '#server/store/anonymise/copy-mark.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { openJobs } from '#server/store/jobs.ts'
import type { CommandCall, AloneCommand } from './command.ts'
import { wrongCall } from './wrong-call.ts'

interface Parameters {
  /** The data folder. */
  readonly from: string
  readonly confirmed: string
}

function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, confirm: { type: 'string' } },
    })
    const { from, confirm: confirmed } = values
    return from === undefined || confirmed === undefined ? undefined : { from: path.resolve(from), confirmed }
  } catch {
    return undefined
  }
}

/** Why the target must not be changed, a sentence for each reason. */
async function refusalsOf(url: string, confirmed: string): Promise<string[]> {
  const session = await openSingleSession(url, migrationsFolder)
  try {
    const { name, isOwner, sessions } = await readCopyFacts(session.db)
    const hasPeople = await hasUsers(session)
    return [
      ...(confirmed === name
        ? []
        : [`--confirm の名前がデータベースの名前「${name}」と異なります。DATABASE_URL を確認してください。`]),
      ...(hasPeople ? ['移す先のデータベースにユーザーがいます。空のデータベースを指定してください。'] : []),
      ...(isOwner ? [] : ['データベースの所有者で接続してください。']),
      ...(sessions > 0
        ? [`ほかの接続が${sessions}本あります。このデータベースを使うサーバーやツールを終了してください。`]
        : []),
    ]
  } finally {
    await session.close()
  }
}

/** Whether the database has people; one that has no tables yet has none. */
async function hasUsers({ db }: SingleSession): Promise<boolean> {
  const count = async (statement: string) =>
    ((await db.execute(statement)) as { rows: unknown[] }).rows.length
  const isMade = (await count(`select where to_regclass('public.users') is not null`)) > 0
  return isMade && (await count('select from users limit 1')) > 0
}

type Opened = Awaited<ReturnType<typeof openFolder>>

/** Brings the tables of the server and of its jobs up to date. */
async function prepare(opening: Promise<Opened>): Promise<void> {
  const database = await opening
  try {
    const jobs = await openJobs(database, () => undefined)
    await jobs.stop()
  } finally {
    await database.close()
  }
}

async function move(databaseUrl: string, from: string, print: CommandCall['print']): Promise<number> {
  await prepare(openFolder(from, migrationsFolder))
  await prepare(openPostgres(databaseUrl, migrationsFolder))
  const source = await openSource(from)
  const sum = { tables: 0, rows: 0 }
  try {
    await moveRows(source, databaseUrl, ({ name, rows }) => {
      sum.tables += 1
      sum.rows += rows
      print(`${name}  ${rows}行`)
    })
  } catch (error) {
    if (!(error instanceof MoveFailed)) throw error
    print('2つのデータベースの内容が異なるため、移していません:')
    for (const it of error.details) print(`  ${it}`)
    return 1
  } finally {
    await source.close()
  }
  print(`${sum.tables}個の表の${sum.rows}行を移し、照合しました。`)
  return 0
}

export const databaseMove: AloneCommand = {
  usage: 'database move --from <データフォルダー> --confirm <データベース名>',
  summary:
    '内蔵のデータベースの内容を、DATABASE_URL の空の PostgreSQL に移し、照合します。サーバーは止めておきます',
  needs: 'nothing',
  async runAlone({ env, args, print }) {
    const databaseUrl = env.DATABASE_URL
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    if (databaseUrl === '') {
      print('環境変数 DATABASE_URL に、移す先の PostgreSQL を設定してください。')
      return 2
    }
    if (!(await hasEmbedded(given.from))) {
      print(`${given.from} に内蔵のデータベースがありません。`)
      return 2
    }
    const refusals = await refusalsOf(databaseUrl, given.confirmed)
    for (const it of refusals) print(it)
    if (refusals.length > 0) return 1
    const unlock = await lockFolder(given.from)
    try {
      return await move(databaseUrl, given.from, print)
    } finally {
      await unlock()
    }
  },
}
