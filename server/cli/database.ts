// Removes all personal data from a copy of the database, for tests.
import { parseArgs } from 'node:util'
import { openSingleSession, type SingleSession } from '#server/adapters/database/database.ts'
import { createPasswords } from '#server/adapters/passwords.ts'
import { anonymise } from '#server/modules/anonymise/anonymise.ts'
import { allRules } from '#server/store/anonymise/all.ts'
import { type CopyFacts, copyMarks, readCopyFacts } from '#server/store/anonymise/copy-mark.ts'
import type { NamedRule, Rule } from '#server/store/anonymise/rules.ts'
import { countRows } from '#server/store/anonymise/statements.ts'
import { columnsWithoutRule, missingTables } from '#server/store/anonymise/structure.ts'
import { migrationsFolder } from '#server/store/database.ts'
import type { CommandCall, AloneCommand } from './command.ts'
import { wrongCall } from './wrong-call.ts'

type Print = CommandCall['print']

interface Parameters {
  readonly confirmed: string | undefined
  readonly password: string | undefined
  readonly isDry: boolean
}

/** @returns undefined for wrong parameters */
function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        confirm: { type: 'string' },
        password: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    })
    const isDry = values['dry-run'] === true
    if (!isDry && values.confirm === undefined) return undefined
    if (values.password === '') return undefined
    return { confirmed: values.confirm, password: values.password, isDry }
  } catch {
    return undefined
  }
}

/** Why the database must not be changed, a sentence for each reason. */
function refusalsOf(facts: CopyFacts, { confirmed, isDry }: Parameters): string[] {
  const { name, state, isOwner, sessions } = facts
  return [
    ...(isDry || confirmed === name
      ? []
      : [`--confirm の名前がデータベースの名前「${name}」と異なります。DATABASE_URL を確認してください。`]),
    ...(state === undefined
      ? [
          'コピーであることの印がありません。本番のデータベースではないことを確認してから、次の文を実行してください:',
          `  COMMENT ON DATABASE "${name.replaceAll('"', '""')}" IS '${copyMarks.copy}'`,
        ]
      : []),
    ...(isOwner ? [] : ['データベースの所有者で接続してください。']),
    ...(sessions > 0
      ? [`ほかの接続が${sessions}本あります。このデータベースを使うサーバーやツールを終了してください。`]
      : []),
  ]
}

const names: Readonly<Record<NamedRule, string>> = {
  keep: 'そのまま',
  id: '別のID',
  ids: '別のID',
  pair: '別のID',
  group_key: '別のID',
  text: '同じ長さの文',
  code: 'コードだけ残す',
  number: '番号だけ残す',
  token: '別の値',
  password: 'パスワードなし',
  birth_date: '成年かどうかだけ残す',
  search: '索引を作り直す',
  empty: '空にする',
  null: '空にする',
}

function nameOf(rule: Rule): string {
  if (typeof rule === 'string') return names[rule]
  return rule.is === 'made' ? '決まった項目だけ残す' : `${rule.before}<番号>${rule.after}`
}

/** Prints the rows of each table and what becomes of each column. */
async function printPlan({ db }: SingleSession, print: Print): Promise<void> {
  const missing = new Set(await missingTables(db, allRules))
  for (const { name, columns } of allRules) {
    const rows = missing.has(name) ? 0 : await countRows(db, name)
    print(`${name}  ${rows}行${columns ? '' : '  すべて削除'}`)
    for (const [column, rule] of columns ?? []) print(`  ${column}  ${nameOf(rule)}`)
  }
  print('pgboss  すべて削除')
}

/** Columns that the program does not know; a copy with such ones is not changed. */
async function printUnknown({ db }: SingleSession, print: Print): Promise<boolean> {
  const unknown = await columnsWithoutRule(db, allRules)
  if (unknown.length === 0) return false
  print('匿名化の方法が決まっていない列があります。このプログラムのデータベースではないか、版が異なります:')
  for (const it of unknown) print(`  ${it}`)
  return true
}

async function runOn(session: SingleSession, given: Parameters, print: Print): Promise<number> {
  const facts = await readCopyFacts(session.db)
  const refusals = refusalsOf(facts, given)
  if (given.isDry) {
    await printPlan(session, print)
    const hasUnknown = await printUnknown(session, print)
    for (const it of refusals) print(it)
    print('何も変更していません。')
    return hasUnknown || refusals.length > 0 ? 1 : 0
  }
  for (const it of refusals) print(it)
  if (refusals.length > 0) return 1
  await session.migrate()
  if (await printUnknown(session, print)) return 1
  const passwordHash = given.password === undefined ? '' : await createPasswords().hash(given.password)
  const steps = { search: '検索の索引', commit: '確定', vacuum: '削除した行の消去' } as const
  const began = Date.now()
  await anonymise({
    db: session.db,
    name: facts.name,
    passwordHash,
    inTransaction: (work) => session.inTransaction(work),
    runAlone: (statement) => session.run(statement),
    onStep: (step) => print(Object.hasOwn(steps, step) ? steps[step as keyof typeof steps] : step),
  })
  print(`匿名化しました（${Math.round((Date.now() - began) / 1000)}秒）。`)
  return 0
}

export const databaseAnonymise: AloneCommand = {
  usage: 'database anonymise --confirm <データベース名> [--password <パスワード>] | --dry-run',
  summary:
    'データベースのコピーから個人の情報を取り去ります。--dry-run は、列ごとに何をするかだけを表示します',
  needs: 'nothing',
  async runAlone({ env: { DATABASE_URL: databaseUrl }, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    if (databaseUrl === '') {
      print('PostgreSQL のデータベースだけを匿名化できます。DATABASE_URL でコピーを指定してください。')
      return 1
    }
    const session = await openSingleSession(databaseUrl, migrationsFolder)
    try {
      return await runOn(session, given, print)
    } finally {
      await session.close()
    }
  },
}
