// Commands about master keys: rotation with 1,000 sealed files, killed in the middle.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { assemble, type Deps } from '#server/deps.ts'
import { beginAudit } from '#server/services/transaction/begin-audit.ts'
import { compiledEnv } from '#server/testing/process.ts'
import { signUp } from '#server/testing/people/members.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'
import { runCommand } from './commands.ts'

const FILES = 1000

let world: World
beforeAll(async () => {
  world = await openWorld({ database: postgresAvailable() ? 'postgres' : 'pglite' })
})
afterAll(() => world.close())

const folder = () => path.dirname(storedAt(world, 'uploads'))

/** The dependencies of a process that starts now: with the master keys that the folder has. */
async function started(): Promise<Deps> {
  const deps = await assemble({
    settings: world.deps.settings,
    database: world.database,
    dataDir: folder(),
    clock: world.deps.clock,
  })
  await deps.jobs.stop()
  return deps
}

async function run(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const code = await runCommand(words, { deps: await started(), print: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

/** Starts the command as a process, and kills it at its first output that has these words. */
async function killAt(words: string, ...command: string[]): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...command], {
    env: {
      ...process.env,
      ...compiledEnv,
      DATABASE_URL: world.postgres?.url ?? '',
      DATA_DIR: folder(),
      SECRET_KEY: '',
      SECRET_KEY_OTHERS: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
    if (text.includes(words)) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}

/** Adds identity checks, each with one sealed file key. */
async function addFiles(count: number): Promise<void> {
  const { id: person } = await signUp(world)
  const rows = Array.from({ length: count }, (_, n) => ({
    check: newId(),
    file: newId(),
    key: newId(),
    sealed: world.deps.secrets.seal('identity', Buffer.from(`key ${n}`)),
  }))
  const from = `from jsonb_to_recordset($1::jsonb) as it("check" uuid, file uuid, key uuid, sealed text)`
  await world.database.executeSql(
    `insert into identity_checks (id, user_id, idempotency_key, document_kind, prompts, submitted_at, state)
     select "check", $2::uuid, key, 'drivers_license', '[]', now(), 'rejected' ${from}`,
    [JSON.stringify(rows), person],
  )
  await world.database.executeSql(
    `insert into identity_files (id, check_id, part, mime, length, sealed_key, created_at)
     select file, "check", 'front', 'image/jpeg', 1, sealed, now() ${from}`,
    [JSON.stringify(rows)],
  )
}

/** The file keys, opened by the master keys that the folder has now. */
async function fileKeys(): Promise<string[]> {
  const { secrets } = await started()
  const { rows } = await world.database.executeSql('select sealed_key from identity_files')
  return (rows as { sealed_key: string }[])
    .map((it) => secrets.open('identity', it.sealed_key).toString())
    .toSorted()
}

/** How many values the present key and the others have sealed, as the command prints it. */
async function listed(): Promise<{ present: number; earlier: number; name: string }> {
  const { text } = await run('key', 'list')
  const [, present, earlier] = /暗号化: (\d+)件、ほかのキーで暗号化: (\d+)件/.exec(text) ?? []
  const [, name = ''] = /([\da-f]{16}) {2}読み取りのみ/.exec(text) ?? []
  return { present: Number(present), earlier: Number(earlier), name }
}

test.skipIf(!postgresAvailable())(
  'a rotation with 1,000 sealed files that is killed in the middle goes on; then the earlier key can be dropped',
  { timeout: 180_000 },
  async () => {
    await beginAudit({ ...world.deps, mac: (text) => world.deps.secrets.mac('audit', text) })
    await addFiles(FILES)
    const before = await fileKeys()
    expect(before).toHaveLength(FILES)

    expect((await run('key', 'rotate')).text).toContain('新しいキーをつくりました')
    const { name, ...counts } = await listed()
    expect(counts).toEqual({ present: 0, earlier: FILES })
    expect(await run('key', 'drop', name)).toMatchObject({ code: 1 })

    await killAt('300件', 'key', 'reseal')
    const half = await listed()
    expect(half.present).toBeGreaterThanOrEqual(300)
    expect(half.earlier).toBeGreaterThan(0)
    expect(await fileKeys()).toEqual(before)

    expect((await run('key', 'reseal')).code).toBe(0)
    expect((await listed()).earlier).toBe(0)
    expect((await run('key', 'drop', name)).text).toContain('キーを削除しました')
    expect((await started()).secrets.keys).toHaveLength(1)
    expect(await fileKeys()).toEqual(before)
    expect(await run('audit', 'verify')).toMatchObject({ code: 0 })
    const { rows } = await world.database.executeSql(
      `select act from audit_log where act like 'key.%' order by seq`,
    )
    expect(rows).toEqual([{ act: 'key.rotate' }, { act: 'key.reseal' }, { act: 'key.drop' }])
  },
)

test('a value that no key opens is named, and the command ends with 1', async () => {
  const { id } = await signUp(world)
  await world.database.executeSql(
    `insert into sellers (user_id, display, sealed, stored_at) values ($1, 'published', 'AAAA', now())`,
    [id],
  )
  const { code, text } = await run('key', 'reseal')
  expect(code).toBe(1)
  expect(text).toContain(`sellers ${id}`)
})

test.each([[['key', 'list', 'x']], [['key', 'rotate', 'x']], [['key', 'reseal', 'x']], [['key', 'drop']]])(
  'ends with 2 for the parameters %j',
  async (words) => {
    expect(await run(...words)).toMatchObject({ code: 2 })
  },
)
