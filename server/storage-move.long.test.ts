// `storage move` beside a server, killed in the middle, and refused without its setting.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import type { ObjectKey } from './adapters/files/object-store.ts'
import { runCommand } from './cli/commands.ts'
import { noise, sha256 } from './testing/people/members.ts'
import { openStudio, type Studio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { runsWhole } from './testing/sample.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { keysIn, newBuckets, type S3Settings } from './testing/s3/stores.ts'
import { fillDataFolder } from './testing/template.ts'
import { openWorld, storedAt, type World } from './testing/world.ts'

async function run(world: World, ...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const code = await runCommand(['storage', 'move', ...words], {
    deps: world.deps,
    print: (line) => void lines.push(line),
  })
  return { code, text: lines.join('\n') }
}

const summary = (moved: number, same: number) =>
  `移したもの${moved}件、すでに同じ内容があったもの${same}件、新しい内容があったもの0件、移している間に削除されたもの0件、移せなかったもの0件です。`

test('without the place of before nothing is moved', async () => {
  const world = await openWorld()
  expect((await run(world)).code).toBe(2)
  expect((await run(world, '--all')).code).toBe(2)
  await world.close()
})

describe.skipIf(!cephAvailable())('storage move', () => {
  let world: World
  let studio: Studio
  let s3: S3Settings
  beforeAll(async () => {
    s3 = await newBuckets()
    world = await openWorld({ worker: true, parts: { s3, objectsFrom: 'disk' } })
    studio = await openStudio(world)
  })
  afterAll(() => world.close())

  test('leaves a picture readable before, between and after, and then in the bucket alone', async () => {
    const [field, id] = await studio.image(await jpeg(), 'a.jpg')
    await studio.processedMedia(await studio.post([['type', '1'], field]))
    const keys = (await keysIn(s3, s3.bucket)) as ObjectKey[]
    expect(keys.length).toBeGreaterThan(1)
    // As an earlier version of the setting has stored them.
    for (const key of keys) {
      const bytes = await buffer(world.deps.storage.objects.read(key))
      await world.deps.storage.objects.remove(key)
      await mkdir(path.dirname(storedAt(world, key)), { recursive: true })
      await writeFile(storedAt(world, key), bytes)
    }
    expect(await keysIn(s3, s3.bucket)).toEqual([])
    const variant = path.parse(defined(keys.find((key) => /\/w\d+\.webp$/.test(key)))).name
    const shown = async () => {
      const reply = await studio.file(id, variant, studio.creator)
      return [reply.statusCode, sha256(reply.rawPayload).toString('hex')]
    }
    const before = await shown()
    expect(before[0]).toBe(200)
    expect(await run(world)).toEqual({ code: 0, text: summary(keys.length, 0) })
    expect(await shown()).toEqual(before)
    expect(await run(world, '--remove')).toEqual({ code: 0, text: summary(0, keys.length) })
    expect(await shown()).toEqual(before)
    expect(await readdir(storedAt(world, 'media'))).toEqual([])
    expect((await keysIn(s3, s3.bucket)).toSorted()).toEqual(keys.toSorted())
    const { rows } = await world.database.executeSql(
      `select detail from audit_log where act = 'storage.move' order by seq`,
    )
    expect(rows).toEqual([{ detail: { count: keys.length } }, { detail: { count: 0 } }])
  })
})

/** Starts the command as a process on a data folder. */
function start(dataDir: string, s3: S3Settings, ...words: string[]) {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'cli/main.ts'), 'storage', 'move', ...words],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: dataDir,
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.bucket,
        S3_IDENTITY_BUCKET: s3.identityBucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        OBJECTS_FROM: 'disk',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  return { child, ended: once(child, 'close'), text: () => text }
}

/** Objects of a move that is killed. */
const COUNT = runsWhole ? 400 : 100

describe.skipIf(!cephAvailable())('a move that is killed', () => {
  test('goes on with what is left, and loses and mixes nothing', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-move-'))
    await fillDataFolder(dataDir)
    const s3 = await newBuckets()
    const written = new Map<string, Buffer>()
    for (let i = 0; i < COUNT; i++) written.set(`media/${newId()}/w${i}.webp`, noise(1000 + i))
    for (const prefix of ['identity', 'identity-uploads'])
      for (let i = 0; i < 5; i++) written.set(`${prefix}/${newId()}`, noise(1000 + i))
    for (const [key, bytes] of written) {
      await mkdir(path.dirname(path.join(dataDir, key)), { recursive: true })
      await writeFile(path.join(dataDir, key), bytes)
    }
    const killed = start(dataDir, s3, '--remove')
    await expect.poll(async () => (await keysIn(s3, s3.bucket)).length).toBeGreaterThan(20)
    killed.child.kill('SIGKILL')
    await killed.ended
    expect((await keysIn(s3, s3.bucket)).length).toBeLessThan(COUNT)
    const again = start(dataDir, s3, '--remove')
    expect([await again.ended, again.text()]).toEqual([
      [0, null],
      expect.stringContaining('移せなかったもの0件'),
    ])
    const keys = [...written.keys()].toSorted()
    expect((await keysIn(s3, s3.bucket)).toSorted()).toEqual(keys.filter((it) => it.startsWith('media/')))
    expect((await keysIn(s3, s3.identityBucket)).toSorted()).toEqual(
      keys.filter((it) => it.startsWith('identity')),
    )
    const third = await openWorld({ parts: { s3 } })
    for (const [key, bytes] of written) {
      const found = await buffer(third.deps.storage.objects.read(key as ObjectKey))
      expect([key, found.equals(bytes)]).toEqual([key, true])
    }
    await third.close()
    expect(await readdir(path.join(dataDir, 'media'))).toEqual([])
    await rm(dataDir, { recursive: true, force: true })
  })
})
