// Which files of an embedded database keep it from being opened, without PGlite.
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FORMAT, hasDatabase, mustBeNew, mustHaveWholePages, reasonOf } from './data-files.ts'
import {
  DatabaseDamaged,
  DatabaseMissing,
  DatabaseVersionDiffers,
  folderSentence,
  FolderUnusable,
  MemoryShort,
} from './refusals.ts'

const PAGE = 8192

let folder: string
let data: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-files-'))
  data = path.join(folder, 'pglite')
  for (const it of ['global', 'pg_wal', 'base/5']) await mkdir(path.join(data, it), { recursive: true })
  await writeFile(at('PG_VERSION'), `${FORMAT}\n`)
  await writeFile(at('global/pg_control'), Buffer.alloc(PAGE))
})
afterEach(() => rm(folder, { recursive: true }))

const at = (name: string) => path.join(data, name)
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (it) => it,
    (error: unknown) => error,
  )

const whole = async (files: string[]) => mustHaveWholePages(folder, data, files)

test('a folder that is missing or empty has no database, and a whole one has', async () => {
  expect(await hasDatabase(folder, path.join(folder, 'other'))).toBe(false)
  expect(await hasDatabase(folder, at('pg_wal'))).toBe(false)
  expect(await hasDatabase(folder, data)).toBe(true)
})

test('no database is made in a folder with files of people', async () => {
  expect(await errorOf(mustBeNew(folder))).toBeUndefined()
  await mkdir(path.join(folder, 'uploads'))
  expect(await errorOf(mustBeNew(folder))).toBeUndefined()
  await writeFile(path.join(folder, 'uploads', 'a'), '')
  expect(await errorOf(mustBeNew(folder))).toBeInstanceOf(DatabaseMissing)
})

const damages: [string, () => Promise<unknown>, string][] = [
  ['no PG_VERSION', () => rm(at('PG_VERSION')), 'pglite/PG_VERSION がありません'],
  ['an empty PG_VERSION', () => truncate(at('PG_VERSION')), 'pglite/PG_VERSION の中身が違います'],
  ['no pg_control', () => rm(at('global/pg_control')), 'pglite/global/pg_control がありません'],
  [
    'a short pg_control',
    () => truncate(at('global/pg_control'), 100),
    'pglite/global/pg_control の長さが違います',
  ],
  ['no log', () => rm(at('pg_wal'), { recursive: true }), 'pglite/pg_wal がありません'],
  ['no tables', () => rm(at('base'), { recursive: true }), 'pglite/base がありません'],
]
test.each(damages)('%s is damage, with what is missing and what to do', async (_, damage, what) => {
  await damage()
  const error = await errorOf(hasDatabase(folder, data))
  expect(error).toBeInstanceOf(DatabaseDamaged)
  const sentence = `データフォルダー ${folder} の内蔵データベースが壊れています（${what}）。バックアップから復元してください。`
  expect((error as Error).message.startsWith(sentence)).toBe(true)
})

test('a database of another PostgreSQL names both versions', async () => {
  await writeFile(at('PG_VERSION'), '17\n')
  const error = await errorOf(hasDatabase(folder, data))
  expect(error).toBeInstanceOf(DatabaseVersionDiffers)
  expect((error as Error).message).toContain(
    `PostgreSQL 17 の形式ですが、この版のとどけが使うのは ${FORMAT} です`,
  )
})

test('a file in the place of the folder, and a link that leads in circles, are told from damage', async () => {
  await rm(data, { recursive: true })
  await writeFile(data, '')
  const error = await errorOf(hasDatabase(folder, data))
  expect(error).toBeInstanceOf(FolderUnusable)
  expect((error as Error).message).toContain('フォルダーではありません')
  await rm(data)
  await symlink(data, data)
  expect(await errorOf(hasDatabase(folder, data))).toMatchObject({ code: 'ELOOP' })
})

test('a file that ends within a page is damage, unless the rest is of zeros, as a full disk leaves it', async () => {
  await writeFile(at('base/5/1'), Buffer.alloc(PAGE * 2, 1))
  await writeFile(at('base/5/2'), Buffer.concat([Buffer.alloc(PAGE, 1), Buffer.alloc(PAGE / 2)]))
  await writeFile(at('base/5/3'), '')
  const check = (...names: string[]) => errorOf(whole(['base/5/1', 'base/5/2', 'base/5/3', ...names]))
  expect(await check()).toBeUndefined()
  await writeFile(at('base/5/4'), Buffer.alloc(PAGE / 2, 1))
  expect(await check('base/5/4')).toMatchObject({
    message: expect.stringContaining('pglite/base/5/4 が途中で切れています') as string,
  })
  expect(await check('base/5/5')).toMatchObject({
    message: expect.stringContaining('pglite/base/5/5 がありません') as string,
  })
})

test('a later file of a large table is examined too', async () => {
  await writeFile(at('base/5/1'), Buffer.alloc(PAGE, 1))
  await writeFile(at('base/5/1.1'), Buffer.alloc(PAGE, 1))
  await writeFile(at('base/5/1.2'), Buffer.alloc(100, 1))
  expect(await errorOf(whole(['base/5/1']))).toMatchObject({
    message: expect.stringContaining('pglite/base/5/1.2 が途中で切れています') as string,
  })
})

test('each reason of the file system has a sentence, and an unknown failure of PostgreSQL is quoted', async () => {
  for (const code of [
    'EACCES',
    'EPERM',
    'EROFS',
    'ENOTDIR',
    'EEXIST',
    'ENOSPC',
    'EDQUOT',
    'EMFILE',
    'ENFILE',
    'EIO',
  ])
    expect(folderSentence('/data', code)).toMatch(/^データフォルダー \/data [^\n]*ください。$/)
  expect(folderSentence('/data', 'ELOOP')).toBeUndefined()
  const error = await reasonOf(folder, new Error('Aborted(). Build with -sASSERTIONS\nat wasm'))
  expect(error.message).toContain('（PostgreSQL が起動しません: Aborted(). Build with -sASSERTIONS）')
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect((await reasonOf(folder, full)).message).toContain('ディスクがいっぱいです')
})

test('what PostgreSQL said when it ended is the reason: no memory, a full disk, or else damage', async () => {
  const failed = new Error('PGlite failed to initialize properly')
  const memory = 'could not create shared memory segment: Out of memory'
  expect(await reasonOf(folder, failed, [memory])).toBeInstanceOf(MemoryShort)
  const full = 'could not write to file "pg_wal/xlogtemp.42": No space left on device'
  expect((await reasonOf(folder, failed, [full])).message).toContain('ディスクがいっぱいです')
  expect((await reasonOf(folder, { errno: 51 })).message).toContain('ディスクがいっぱいです')
  const checkpoint = 'could not locate a valid checkpoint record at 0/16EFA48'
  const error = await reasonOf(folder, failed, [checkpoint])
  expect(error).toBeInstanceOf(DatabaseDamaged)
  expect(error.message).toContain(`（PostgreSQL が起動しません: ${checkpoint}）`)
})
