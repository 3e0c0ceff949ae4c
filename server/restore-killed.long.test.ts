// A restore that is killed at each of its steps, and the next restore.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { defined } from '#contract/testing/defined.ts'
import { RESTORE_SESSION } from './adapters/database/programs.ts'
import { backupCreate } from './cli/backup/create.ts'
import { backupErasures } from './cli/backup/erasures.ts'
import { backupRestore } from './cli/backup/restore.ts'
import { runCommand } from './cli/commands.ts'
import { type Env, readEnv } from './env/env.ts'
import { deleteDueAccounts } from './modules/leaving/erase.ts'
import { openDatabase } from './open-database.ts'
import { openDeps } from './open-deps.ts'
import { UnfinishedRestore } from './store/backup/restore-mark.ts'
import { PATIENT, rowsOf } from './testing/copies.ts'
import { sampleOf } from './testing/sample.ts'
import { buy } from './testing/payments/bought.ts'
import { pricedPost } from './testing/payments/shop.ts'
import { submitted } from './testing/people/identity.ts'
import { leave } from './testing/people/leaving.ts'
import { signUp, upload } from './testing/people/members.ts'
import { openStudio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { type Pause, type Pauses, openPauses } from './testing/postgres/pauses.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { refusedStart } from './testing/process.ts'
import { openWorld, type World } from './testing/world.ts'

const silent = { failed: () => undefined, redis: () => undefined, realtime: () => undefined }
const DONE = '復元が終わりました。サーバーを起動できます。'

let parent = ''
let given: Record<string, string> = {}
let env: Env
let pauses: Pauses
/** An account that was erased after the backup. */
let erased = ''
let paid: unknown[] = []
let posts: unknown[] = []
let killed: ChildProcess | undefined

const inParent = (...names: string[]) => path.join(parent, ...names)
const readPaid = () =>
  rowsOf(
    defined(given['DATABASE_URL']),
    `select id::text, amount from payments where state = 'paid' order by id`,
  )
const readPosts = () => rowsOf(defined(given['DATABASE_URL']), 'select id::text from posts order by id')

/** People, posts with pictures, a purchase; then the backup, and an account that is erased after it. */
async function load(world: World): Promise<void> {
  const studio = await openStudio(world)
  for (const it of ['a.jpg', 'b.jpg', 'c.jpg']) {
    const [field] = await studio.image(await jpeg(), it)
    await studio.processedMedia(await studio.post([['type', '1'], field]))
  }
  await buy(world, await signUp(world), await pricedPost(world, studio.creator))
  erased = studio.fan.id
  await submitted(world, studio.fan)
  await upload(world, studio.fan, await jpeg(), 'own.jpg')
  const print = () => undefined
  expect(await backupCreate.runAlone({ env, args: [inParent('backup')], print })).toBe(0)
  paid = await readPaid()
  posts = await readPosts()
  await leave(world, studio.fan)
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
  expect(await backupErasures.runAlone({ env, args: [inParent('erasures')], print })).toBe(0)
}

beforeAll(async () => {
  if (!postgresAvailable()) return undefined
  parent = await mkdtemp(path.join(tmpdir(), 'todoke-restore-killed-'))
  const parts = { dataDir: inParent('lost') }
  const world = await openWorld({ database: 'postgres', worker: true, settings: { backupDays: 14 }, parts })
  const url = defined(world.postgres?.url)
  given = { DATABASE_URL: url, BACKUP_DAYS: '14', SEED_DEMO: '0', LOG_LEVEL: 'silent' }
  env = readEnv({ ...given, DATA_DIR: parts.dataDir })
  await load(world)
  await world.app.close()
  await world.deps.close()
  pauses = await openPauses(url)
  return async () => {
    await pauses.close()
    await world.postgres?.stop()
    await rm(parent, { recursive: true, force: true })
  }
})
/** Each test restores over the rows of the one before, into a data folder with the keys alone. */
beforeEach(async () => {
  if (!postgresAvailable()) return
  given = { ...given, DATA_DIR: await mkdtemp(inParent('data-')) }
  env = readEnv(given)
  for (const it of ['secret.key', 'vapid.json'])
    await copyFile(inParent('lost', it), path.join(env.DATA_DIR, it))
})
afterEach(async () => {
  killed?.kill('SIGKILL')
  await pauses?.pauseAt(undefined)
  await pauses?.endOthers('')
})

/** What the operator gives both times. */
const args = () => [inParent('backup'), '--erasures', inParent('erasures')]

/** Starts a restore over the rows of the database. @returns what it has printed */
function begin(): () => string {
  const main = path.join(import.meta.dirname, 'cli/main.ts')
  const name = new URL(env.DATABASE_URL).pathname.slice(1)
  killed = spawn(process.execPath, [main, 'backup', 'restore', ...args(), '--confirm', name], {
    env: { PATH: process.env['PATH'], ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const it of [killed.stdout, killed.stderr]) it?.on('data', (text) => (output += String(text)))
  return () => output
}

/** Kills the restore once it is at a moment. */
async function killWhen(output: () => string, isReached: () => Promise<boolean>): Promise<void> {
  const child = killed ?? expect.unreachable()
  const isOver = async () => child.exitCode !== null || (await isReached())
  await expect.poll(isOver, PATIENT).toBe(true)
  expect([child.exitCode, output()]).toEqual([null, expect.any(String)])
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
}

/** Each object of each row, each purchase, and no account that was erased. */
async function expectWhole(): Promise<void> {
  const deps = await openDeps(env, silent)
  try {
    const found: string[] = []
    const code = await runCommand(['storage', 'check'], { deps, print: (it) => void found.push(it) })
    expect([code, found]).toEqual([
      0,
      [expect.stringContaining('ユーザー'), '違いは0件、直したものは0件です。'],
    ])
    expect([await readPosts(), await readPaid()]).toEqual([posts, paid])
    const { rows } = await deps.database.executeSql(
      `select email, (select count(*)::int from uploads where owner_id = users.id) as uploads,
         (select count(*)::int from identity_checks where user_id = users.id) as checks
       from users where id = $1`,
      [erased],
    )
    expect(rows).toEqual([{ email: `deleted-${erased}@invalid`, uploads: 0, checks: 0 }])
    expect(await readdir(path.join(env.DATA_DIR, 'identity'))).toEqual([])
  } finally {
    await deps.close()
  }
}

/** Opens the database as a server does. @returns why it is refused */
const startedOn = () =>
  openDatabase(env).then(
    ({ database }) => database.close(),
    (error: unknown) => error,
  )

/** The same command is run again, and completes. */
async function expectRepeated(): Promise<void> {
  const lines: string[] = []
  const code = await backupRestore.runAlone({ env, args: args(), print: (line) => void lines.push(line) })
  expect([lines.at(-1), code]).toEqual([DONE, 0])
  await expectWhole()
}

describe.skipIf(!postgresAvailable())('a restore that is killed', PATIENT, () => {
  const moments: readonly (readonly [string, Pause])[] = [
    ['while earlier rows are deleted', 'emptied'],
    ['before the dump is in', 'dump'],
    ['in the middle of the rows', 'copy posts'],
    ['before emails that waited are dropped', 'delete letters'],
    ['while an erasure is repeated', 'update users'],
  ]
  test.each(sampleOf(moments, 2))(
    '%s keeps servers out, and completes when it is run again',
    async (_, pause) => {
      await pauses.pauseAt(pause)
      await killWhen(begin(), () => pauses.isPaused())
      await pauses.pauseAt(undefined)
      // A statement of the killed process ends by itself. The program that restores the dump is left to the next restore.
      await pauses.endOthers(RESTORE_SESSION)
      expect(await startedOn()).toBeInstanceOf(UnfinishedRestore)
      await expectRepeated()
    },
  )

  test('while its dump is restored keeps a real server out at once', async () => {
    await pauses.pauseAt('copy posts')
    await killWhen(begin(), () => pauses.isPaused())
    await pauses.pauseAt(undefined)
    const { code, output } = await refusedStart(given)
    expect([code, output]).toEqual([1, expect.stringContaining(new UnfinishedRestore().message)])
    expect(await pauses.isPaused()).toBe(true)
  })

  test('while objects are copied keeps servers out, and completes when it is run again', async () => {
    const lines = (await readFile(inParent('backup', 'objects.jsonl'), 'utf8')).trimEnd().split('\n')
    const listed = lines.map((it) => JSON.parse(it) as { key: string; owner: string })
    const last = listed.findLast(({ owner }) => owner !== erased)
    const copy = inParent('backup', 'objects', last?.key ?? expect.unreachable())
    // A pipe in place of the last copy: the restore waits while it reads.
    await rename(copy, `${copy}.whole`)
    await promisify(execFile)('mkfifo', [copy])
    let writer: FileHandle | undefined
    await killWhen(begin(), async () => (writer ??= await openRead(copy)) !== undefined)
    await writer?.close()
    expect(await readdir(path.join(env.DATA_DIR, 'media'))).not.toEqual([])
    await rename(`${copy}.whole`, copy)
    expect(await startedOn()).toBeInstanceOf(UnfinishedRestore)
    await expectRepeated()
  })

  test('just before its mark is removed keeps servers out, and completes when it is run again', async () => {
    const output = begin()
    await expect.poll(output, PATIENT).toContain('データベースを戻しました')
    const release = await pauses.holdComment()
    await killWhen(output, () => pauses.isCommentAwaited())
    await release()
    expect(await startedOn()).toBeInstanceOf(UnfinishedRestore)
    await expectRepeated()
  })
})

/** Opens a pipe that another process reads. @returns undefined while none does */
async function openRead(pipe: string): Promise<FileHandle | undefined> {
  return open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENXIO') return undefined
    throw error
  })
}
