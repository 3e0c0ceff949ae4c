// Backup and restore of the embedded database, and what a restore refuses.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { backupCreate } from './cli/backup/create.ts'
import { backupErasures } from './cli/backup/erasures.ts'
import { backupRestore } from './cli/backup/restore.ts'
import { backupSettle } from './cli/backup/settle.ts'
import { backupVerify } from './cli/backup/verify.ts'
import { runCommand } from './cli/commands.ts'
import { readEnv } from './env/env.ts'
import { demoAccounts } from './modules/demo/people.ts'
import { seedDemo } from './modules/demo/seed.ts'
import { openDatabase } from './open-database.ts'
import { openDeps } from './open-deps.ts'
import { logErasure, readErasures } from './services/backup/erasure-log.ts'
import { runOn } from './testing/copies.ts'
import { signUp } from './testing/people/members.ts'
import { fillDataFolder } from './testing/template.ts'
import { bothDatabases, openWorld } from './testing/world.ts'

const silent = { failed: () => undefined, redis: () => undefined, realtime: () => undefined }

let parent = ''
let folder = ''
let dataDir = ''
let backup = ''
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'todoke-embedded-'))
  dataDir = path.join(parent, 'data')
  backup = path.join(parent, 'backup')
  await fillDataFolder(dataDir)
  const deps = await openDeps(env(), silent)
  await seedDemo(deps)
  const during = await run(backupCreate, backup).catch((error: Error) => error)
  await deps.close()
  expect(String(during)).toContain('すでに別のプロセスが使っています')
  expect((await run(backupCreate, backup)).code).toBe(0)
  return () => rm(parent, { recursive: true })
})
beforeEach(() => {
  folder = path.join(parent, newId())
})

const env = (more: Record<string, string> = {}) =>
  readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...more })
async function run(command: typeof backupCreate, ...args: string[]) {
  return runWith({}, command, ...args)
}
async function runWith(more: Record<string, string>, command: typeof backupCreate, ...args: string[]) {
  const lines: string[] = []
  const code = await command.runAlone({ env: env(more), args, print: (line) => void lines.push(line) })
  return { code, lines }
}
/** A data folder with the keys alone. */
async function newDataFolder(): Promise<string> {
  await mkdir(folder)
  for (const it of ['secret.key', 'vapid.json'])
    await writeFile(path.join(folder, it), await readFile(path.join(dataDir, it)))
  return folder
}
/** A backup with another manifest. */
async function changedBackup(change: (manifest: Record<string, unknown>) => object): Promise<string> {
  const to = `${folder}-backup`
  await mkdir(to)
  for (const it of ['database.dump', 'objects.jsonl'])
    await writeFile(path.join(to, it), await readFile(path.join(backup, it)))
  const manifest = JSON.parse(await readFile(path.join(backup, 'backup.json'), 'utf8'))
  await writeFile(path.join(to, 'backup.json'), JSON.stringify({ ...manifest, ...change(manifest) }))
  return to
}

describe('an embedded database', () => {
  test('is restored into a new data folder, and again over itself', async () => {
    const to = { DATA_DIR: await newDataFolder() }
    expect((await runWith(to, backupVerify, backup)).code).toBe(0)
    const restored = await runWith(to, backupRestore, backup)
    expect([restored.code, restored.lines.at(-1)]).toEqual([
      0,
      '復元が終わりました。サーバーを起動できます。',
    ])
    const refused = await runWith(to, backupRestore, backup)
    expect([refused.code, refused.lines]).toEqual([
      1,
      [
        'データベース「pglite」は空ではありません。中身を削除して復元するときは、--confirm pglite を指定してください。',
      ],
    ])
    expect((await runWith(to, backupRestore, backup, '--confirm', 'pglite')).code).toBe(0)
    expect((await readdir(folder)).filter((it) => it.startsWith('pglite'))).toHaveLength(2)
    const deps = await openDeps(env(to), silent)
    const lines: string[] = []
    expect(await runCommand(['storage', 'check'], { deps, print: (it) => void lines.push(it) })).toBe(0)
    const { rows } = await deps.database.executeSql('select 1 from users where email = $1', [
      demoAccounts.creator,
    ])
    expect(rows).toHaveLength(1)
    await deps.close()
  })

  test('an erasure of the given file is repeated, and is in the log from then on', async () => {
    const deps = await openDeps(env(), silent)
    const { rows } = await deps.database.executeSql('select id::text from users where email = $1', [
      demoAccounts.fan,
    ])
    await deps.close()
    const { id } = rows[0] as { id: string }
    const file = path.join(parent, 'erasures')
    await writeFile(file, `{"is":"account","id":"${id}"}\n{"is":"account","id":"${newId()}"}\n`)
    const to = { DATA_DIR: await newDataFolder() }
    expect((await runWith(to, backupRestore, backup, '--erasures', file)).code).toBe(0)
    const restored = await openDeps(env(to), silent)
    const found = await restored.database.executeSql('select email from users where id = $1', [id])
    expect(found.rows).toEqual([{ email: `deleted-${id}@invalid` }])
    const logged: string[] = []
    for await (const it of readErasures(restored.storage)) logged.push(it.id)
    expect(logged).toHaveLength(2)
    // Its person had the email about it already.
    expect((await restored.database.executeSql('select 1 from letters')).rows).toEqual([])
    await restored.close()
    await runWith(to, backupErasures, `${file}-2`)
    expect((await readFile(`${file}-2`, 'utf8')).trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('a restore is refused, and nothing is made,', () => {
  const namesAfter = async () =>
    (await readdir(folder)).filter((it) => it.startsWith('pglite') || it === 'restoring')

  test('from a newer version', async () => {
    const to = { DATA_DIR: await newDataFolder() }
    const newer = await changedBackup((it) => ({ migrations: [...(it['migrations'] as number[]), 9e12] }))
    await expect(runWith(to, backupRestore, newer)).rejects.toThrow('新しい版のとどけ')
    expect(await namesAfter()).toEqual([])
  })

  test('without the master key, or with another one, which it does not make', async () => {
    await mkdir(folder)
    const to = { DATA_DIR: folder }
    for (const variables of [to, { ...to, SECRET_KEY: 'o'.repeat(32) }])
      expect(await runWith(variables, backupRestore, backup)).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(
            /^マスターキーが、このバックアップのものと異なります.*--lost-key [\da-f]{16} /,
          ),
          expect.stringMatching(/^通知の鍵が、/),
        ],
      })
    expect(await readdir(folder)).toEqual([])
  })

  test('when its dump was changed, its manifest is of another form, or its database is of another kind', async () => {
    const to = { DATA_DIR: await newDataFolder() }
    const changed = await changedBackup(() => ({}))
    await writeFile(path.join(changed, 'database.dump'), 'x')
    expect(await runWith(to, backupRestore, changed)).toEqual({
      code: 1,
      lines: ['ファイルの内容が作成時と異なります: database.dump'],
    })
    await writeFile(path.join(changed, 'backup.json'), '{"format":2}')
    expect((await runWith(to, backupRestore, changed)).code).toBe(1)
    const postgres = { ...to, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    expect((await runWith(postgres, backupRestore, backup)).lines).toEqual([
      '組み込みのデータベースのバックアップです。環境変数 DATABASE_URL を空にしてください。',
    ])
    expect(await namesAfter()).toEqual([])
  })

  test('with a log of erasures that has another line', async () => {
    const to = { DATA_DIR: await newDataFolder() }
    const file = `${folder}-log`
    await writeFile(file, '{"is":"account","id":"../x"}\n')
    await expect(runWith(to, backupRestore, backup, '--erasures', file)).rejects.toThrow('line 1')
    expect(await namesAfter()).toEqual([])
  })
})

describe.skipIf(bothDatabases.some((it) => !it.available))('on PostgreSQL', () => {
  test('no server starts on a database that a restore has begun and not completed', async () => {
    const world = await openWorld({ database: 'postgres' })
    const url = defined(world.postgres?.url)
    const name = new URL(url).pathname.slice(1)
    await runOn(url, `comment on database ${name} is 'todoke: restoring'`)
    await expect(openDatabase(env({ DATABASE_URL: url }))).rejects.toThrow('復元が終わっていません')
    await runOn(url, `comment on database ${name} is null`)
    const { database } = await openDatabase(env({ DATABASE_URL: url }))
    await database.close()
    await world.close()
  })

  test('a restore that was interrupted is begun again without a confirmation', async () => {
    const world = await openWorld({ database: 'postgres', parts: { dataDir: await newDataFolder() } })
    const url = defined(world.postgres?.url)
    const name = new URL(url).pathname.slice(1)
    const person = await signUp(world)
    await world.app.close()
    await world.deps.close()
    const to = { DATABASE_URL: url, DATA_DIR: folder }
    expect((await runWith(to, backupCreate, `${folder}-made`)).code).toBe(0)
    expect((await runWith(to, backupRestore, `${folder}-made`)).code).toBe(1)
    await runOn(url, 'drop table letters cascade', `comment on database ${name} is 'todoke: restoring'`)
    expect((await runWith(to, backupRestore, `${folder}-made`)).code).toBe(0)
    const deps = await openDeps(env(to), silent)
    const { rows } = await deps.database.executeSql('select email from users')
    expect(rows).toEqual([{ email: person.email }])
    await deps.close()
    await world.postgres?.stop()
  })

  test('a database that was restored to a point in time is settled once, by its name', async () => {
    const world = await openWorld({ database: 'postgres', parts: { dataDir: await newDataFolder() } })
    const url = defined(world.postgres?.url)
    const name = new URL(url).pathname.slice(1)
    const person = await signUp(world)
    await world.deps.transaction(({ email }) =>
      email({ email: person.email, name: '会員' }, { is: 'identity_received' }),
    )
    await logErasure(world.deps.storage, { is: 'account', id: person.id })
    await world.app.close()
    await world.deps.close()
    const to = { DATABASE_URL: url, DATA_DIR: folder }
    expect((await runWith(to, backupSettle)).code).toBe(2)
    expect((await runWith(to, backupSettle, '--confirm', 'other')).lines).toEqual([
      `--confirm の名前がデータベースの名前「${name}」と異なります。DATABASE_URL を確認してください。`,
    ])
    await runOn(url, `comment on database ${name} is 'todoke: restoring'`)
    const half = await runWith(to, backupSettle, '--confirm', name)
    expect([half.code, half.lines[0]]).toEqual([
      1,
      expect.stringContaining('backup restore が終わっていない'),
    ])
    await runOn(url, `comment on database ${name} is null`)
    expect((await runWith(to, backupSettle, '--confirm', name)).code).toBe(0)
    const deps = await openDeps(env(to), silent)
    const { rows } = await deps.database.executeSql(
      `select (select email from users where id = $1) as email, (select count(*)::int from letters) as letters`,
      [person.id],
    )
    expect(rows).toEqual([{ email: `deleted-${person.id}@invalid`, letters: 0 }])
    await deps.close()
    await world.postgres?.stop()
  })
})
