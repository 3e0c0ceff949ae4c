// A damaged embedded database at the start, and damage that is read later.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrationsFolder } from './store/database.ts'
import { runsWhole, sampleOf } from './testing/sample.ts'
import { fillDataFolder } from './testing/template.ts'
import { FORMAT } from './adapters/database/embedded/data-files.ts'
import { openFolder } from './adapters/database/embedded/embedded.ts'
import { advanceExtents, EXTENTS_FILE } from './adapters/database/embedded/extents.ts'
import { openFiles } from './adapters/database/embedded/files.ts'
import { DatabaseDamaged } from './adapters/database/embedded/refusals.ts'

let made: string
let file: string
let folder: string
beforeAll(async () => {
  made = await mkdtemp(path.join(tmpdir(), 'todoke-whole-'))
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-damaged-'))
  await fillDataFolder(made)
  const database = await openFolder(made, migrationsFolder)
  await database.executeSql('create table pages (id int primary key, text text)')
  await database.executeSql(
    "insert into pages select it, repeat('page', 100) from generate_series(1, 100) it",
  )
  const { rows } = await database.executeSql("select pg_relation_filepath('pages') as file")
  file = (rows as { file: string }[])[0]?.file ?? ''
  await database.close()
})
beforeEach(() => {
  rmSync(folder, { recursive: true })
  cpSync(made, folder, { recursive: true })
})
afterAll(async () => {
  for (const it of [made, folder]) await rm(it, { recursive: true })
})

const at = (name: string) => path.join(folder, 'pglite', name)
const refusal = () =>
  openFolder(folder, migrationsFolder).then(
    async (it) => it.close(),
    (error: unknown) => error,
  )
const logs = () => readdirSync(at('pg_wal')).filter((it) => /^[\dA-F]{24}$/.test(it))

/** Overwrites a part of a file with zeros. */
function clear(name: string, from: number, to: number): void {
  const bytes = readFileSync(at(name))
  writeFileSync(at(name), bytes.fill(0, from, to))
}

/** Bytes of a file of the log. */
const LOG_FILE = 16 * 1024 ** 2

/** Where the log ended when the extents were stored: its file, and the byte in it. */
function logEnd(): [string, number] {
  const { log } = JSON.parse(readFileSync(at(EXTENTS_FILE), 'utf8')) as { log: string }
  const [high = '', low = ''] = log.split('/')
  const place = Number.parseInt(low, 16)
  const name = ['1', high, Math.floor(place / LOG_FILE).toString(16)]
    .map((it) => it.padStart(8, '0'))
    .join('')
  return [`pg_wal/${name.toUpperCase()}`, place % LOG_FILE]
}

/** Runs statements, and leaves the folder as a killed server leaves it. @returns where the log ended before them */
async function killedAfter(...statements: string[]): Promise<[string, number]> {
  const client = await openFiles(folder)
  const end = logEnd()
  for (const it of statements) await client.exec(it)
  await advanceExtents(client, { folder, data: at('') })
  const copy = `${folder}-killed`
  cpSync(folder, copy, { recursive: true })
  await client.close()
  rmSync(folder, { recursive: true })
  cpSync(copy, folder, { recursive: true })
  rmSync(copy, { recursive: true })
  return end
}

const late = "insert into pages select it, 'late' from generate_series(101, 200) it"

const damages: [string, () => unknown, string][] = [
  ['no PG_VERSION', () => rmSync(at('PG_VERSION')), 'PG_VERSION がありません'],
  [
    'other bytes in pg_control',
    () => writeFile(at('global/pg_control'), Buffer.alloc(8192, 1)),
    'PostgreSQL が起動',
  ],
  [
    'other bytes in the log',
    () => Promise.all(logs().map((it) => writeFile(at(`pg_wal/${it}`), Buffer.alloc(16 * 1024 ** 2, 1)))),
    'PostgreSQL が起動しません',
  ],
  ['a table cut to half a page', () => truncateSync(at(file), 4096), '${file} が途中で切れています'],
  ['a table cut between two pages', () => truncateSync(at(file), 8192), '${file} が短くなっています'],
  ['an empty table', () => truncateSync(at(file)), '${file} が短くなっています'],
  ['a page of zeros', () => clear(file, 8192, 16_384), '${file} のページが消えています'],
  ['zeros for transactions', () => clear('pg_xact/0000', 0, 8192), 'pg_xact/0000 の中身が違います'],
  ['no log file', () => logs().forEach((it) => rmSync(at(`pg_wal/${it}`))), 'PostgreSQL が起動しません'],
  ['extents cut short', () => truncateSync(at(EXTENTS_FILE), 100), `${EXTENTS_FILE} の中身が違います`],
]
test.each(sampleOf(damages, 2))(
  '%s ends the start with one sentence, and changes nothing',
  async (_, damage, what) => {
    await damage()
    const error = await refusal()
    expect(error).toBeInstanceOf(DatabaseDamaged)
    expect((error as Error).message).toContain(what.replace('${file}', file))
    expect((await refusal()) instanceof DatabaseDamaged).toBe(true)
  },
)

test('after a kill a log without its end is damage, and a whole one has all commits', async () => {
  await killedAfter(late)
  const database = await openFolder(folder, migrationsFolder)
  expect((await database.executeSql('select count(*)::int as all from pages')).rows).toEqual([{ all: 200 }])
  await database.close()
  rmSync(folder, { recursive: true })
  cpSync(made, folder, { recursive: true })
  const [name, byte] = await killedAfter(late)
  clear(name, byte, LOG_FILE)
  expect(String(await refusal())).toContain('pg_wal の終わりの部分がありません')
})

test.runIf(runsWhole)(
  'a table that VACUUM has made shorter, and one that was made again, are whole',
  async () => {
    await killedAfter('delete from pages where id > 20', 'vacuum pages', 'checkpoint')
    expect(await refusal()).toBeUndefined()
    await killedAfter('truncate pages', 'checkpoint')
    expect(await refusal()).toBeUndefined()
  },
)

test('a new database has checksums of its pages, and one that was begun and not completed is made again', async () => {
  rmSync(at(''), { recursive: true })
  mkdirSync(at('../pglite.new/global'), { recursive: true })
  await writeFile(at('../pglite.new/PG_VERSION'), FORMAT)
  const database = await openFolder(folder, migrationsFolder)
  const { rows } = await database.executeSql(
    "select current_setting('data_checksums') as checksums, current_setting('server_version_num') as version",
  )
  expect(rows).toEqual([
    { checksums: 'on', version: expect.stringMatching(new RegExp(`^${FORMAT}`)) as string },
  ])
  await database.close()
  await expect(stat(at('../pglite.new'))).rejects.toThrow('ENOENT')
})

test('a changed byte of a page is an error when it is read, which the database remembers', async () => {
  const bytes = readFileSync(at(file))
  bytes[6000] = (bytes[6000] ?? 0) ^ 255
  await writeFile(at(file), bytes)
  const database = await openFolder(folder, migrationsFolder)
  expect(database.damage?.()).toBeUndefined()
  await expect(database.executeSql('select no_such_column from pages')).rejects.toThrow('no_such_column')
  expect(database.damage?.()).toBeUndefined()
  await expect(database.executeSql('select count(*) from pages')).rejects.toThrow('invalid page in block 0')
  expect(database.damage?.()).toContain('invalid page in block 0')
  await database.close()
})
