// A backup shares unchanged objects with the one before, and nothing that is damaged.
import { spawnSync } from 'node:child_process'
import { link, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openPostgresSnapshot } from '#server/adapters/database/snapshot.ts'
import { beginBackup } from '#server/adapters/files/backup-folder.ts'
import type { ObjectStore } from '#server/adapters/files/object-store.ts'
import { readEnv } from '#server/env/env.ts'
import { createBackup } from '#server/services/backup/create.ts'
import { openEarlier } from '#server/services/backup/earlier.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { submitted } from '#server/testing/people/identity.ts'
import { upload } from '#server/testing/people/members.ts'
import { openStudio } from '#server/testing/people/studio.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, storedAt, type World } from '#server/testing/world.ts'
import { backupCreate } from './create.ts'
import { backupVerify } from './verify.ts'

describe.skipIf(!postgresAvailable())('a second backup', () => {
  let world: World
  let parent = ''
  /** A finished upload. */
  let uploadId = ''
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres', worker: true })
    const studio = await openStudio(world)
    const [field] = await studio.image(await jpeg(), 'a.jpg')
    await studio.processedMedia(await studio.post([['type', '1'], field]))
    uploadId = await upload(world, studio.creator, await jpeg(), 'b.jpg')
    await submitted(world, studio.fan)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'todoke-shared-'))
  })
  afterEach(() => rm(parent, { recursive: true }))

  const at = (...names: string[]) => path.join(parent, ...names)
  async function run(command: typeof backupCreate, name: string) {
    const lines: string[] = []
    const env = readEnv({ DATABASE_URL: world.postgres?.url, DATA_DIR: world.dataDir })
    const print = (line: string) => void (line.startsWith('キーは') || lines.push(line))
    const code = await command.runAlone({ env, args: [at(name)], print })
    return { code, lines }
  }
  const create = async (name: string) => {
    const { code, lines } = await run(backupCreate, name)
    expect(code).toBe(0)
    return lines
  }
  const isWhole = async (name: string) =>
    (await run(backupVerify, name)).lines.at(-1) === 'バックアップはそろっています。'
  /** Paths of the copies below `objects`, with the number of each file. */
  async function copiesIn(name: string): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const it of await readdir(at(name, 'objects'), { recursive: true })) {
      const about = await stat(at(name, 'objects', it))
      if (about.isFile()) found.set(it, about.ino)
    }
    return found
  }
  /** Keys whose copies are other files in the two backups. */
  async function apart(one: string, other: string): Promise<string[]> {
    const [first, second] = [await copiesIn(one), await copiesIn(other)]
    expect([...second.keys()].toSorted()).toEqual([...first.keys()].toSorted())
    return [...second].flatMap(([name, file]) => (first.get(name) === file ? [] : [name]))
  }

  test('of an unchanged folder takes no room for its objects, and stays whole without the first', async () => {
    await create('1')
    const lines = await create('2')
    const count = (await copiesIn('1')).size
    expect(count).toBeGreaterThan(5)
    expect(await apart('1', '2')).toEqual([])
    expect(lines[2]).toContain(`ファイル: ${count}件（うちコピー0件、前回のバックアップと共有${count}件）`)
    expect([await isWhole('1'), await isWhole('2')]).toEqual([true, true])
    await rm(at('1'), { recursive: true })
    expect(await isWhole('2')).toBe(true)
    await create('3')
    expect(await apart('2', '3')).toEqual([])
  })

  test('is left whole by the unit that deletes old ones', async () => {
    await create('1')
    await create('2')
    const old = new Date(Date.now() - 3 * 24 * 3600_000)
    await utimes(at('1'), old, old)
    const unit = await readFile('deploy/systemd/todoke-backup.service', 'utf8')
    const deletion = defined(/^ExecStartPost=\/bin\/sh -c '(.*find .*)'$/m.exec(unit)?.[1])
      .replaceAll('$$', '$')
      .replaceAll('/var/backups/todoke', parent)
    const { status } = spawnSync('/bin/sh', ['-c', deletion], { env: { ...process.env, BACKUP_DAYS: '2' } })
    expect([status, await readdir(parent), await isWhole('2')]).toEqual([0, ['2'], true])
  })

  test('copies what is damaged or missing in the first one anew, and says so', async () => {
    await create('1')
    const damaged = at('1', 'objects/uploads', uploadId)
    const bytes = await readFile(damaged)
    const { atime, mtime } = await stat(damaged)
    bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
    await writeFile(damaged, bytes)
    await utimes(damaged, atime, mtime)
    const [document = ''] = await readdir(at('1', 'objects/identity'))
    await rm(at('1', 'objects/identity', document))
    const lines = await create('2')
    expect(lines.slice(3)).toEqual([
      '前回のバックアップで壊れているか、なくなっているファイルが2件あります。新しくコピーしました:',
      `  uploads/${uploadId}`,
      `  identity/${document}`,
    ])
    expect([await isWhole('1'), await isWhole('2')]).toEqual([false, true])
    await create('3')
    expect(await apart('2', '3')).toEqual([])
  })

  test('copies an object that has other bytes now, and shares one whose bytes have another time', async () => {
    await create('1')
    const stored = storedAt(world, 'uploads', uploadId)
    const bytes = await readFile(stored)
    const later = new Date(Date.now() + 60_000)
    await utimes(stored, later, later)
    await create('2')
    expect(await apart('1', '2')).toEqual([])
    const other = Buffer.from(bytes)
    other.writeUInt8((other.at(-1) ?? 0) ^ 1, other.length - 1)
    await writeFile(stored, other)
    await create('3')
    expect(await apart('2', '3')).toEqual([`uploads/${uploadId}`])
    expect(await isWhole('3')).toBe(true)
    await writeFile(stored, bytes)
  })

  test('shares nothing with a backup that was not completed or whose list is changed, but with the newest whole one', async () => {
    await create('1')
    await create('2')
    await rename(at('2'), at('2.partial'))
    await create('3')
    await rm(at('1'), { recursive: true })
    const list = at('3', 'objects.jsonl')
    await writeFile(list, (await readFile(list, 'utf8')).replace(/.*\n/, ''))
    expect(await openEarlier(at('4'))).toBeUndefined()
    const lines = await create('4')
    expect(lines[2]).not.toContain('共有')
    await create('5')
    await writeFile(at('5', 'backup.json'), '{')
    const earlier = await openEarlier(at('6'))
    await earlier?.close()
    expect(earlier?.folder).toBe(at('4'))
  })

  test.each(['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP'])('copies where a link fails with %s', async (code) => {
    await create('1')
    const refuse = () => Promise.reject(Object.assign(new Error('refused'), { code }))
    const created = await createInto('2', {}, refuse)
    expect([created.shared, created.manifest.objects.copied]).toEqual([0, (await copiesIn('1')).size])
    expect((await apart('1', '2')).length).toBe((await copiesIn('1')).size)
    expect(await isWhole('2')).toBe(true)
  })

  test('ends with another error of a link, and leaves no folder that looks complete', async () => {
    await create('1')
    const refuse = () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }))
    await expect(createInto('2', {}, refuse)).rejects.toThrow('no room')
    expect(await readdir(parent)).toEqual(['1', '2.partial'])
  })

  test('of a bucket does not read objects again whose tags are those of the first one', async () => {
    const inBucket = { pathOf: () => undefined }
    await createInto('1', inBucket)
    const reading = {
      ...inBucket,
      read: () => {
        throw new Error('an unchanged object was read')
      },
    }
    const { shared } = await createInto('2', reading)
    expect([shared, await apart('1', '2')]).toEqual([(await copiesIn('1')).size, []])
    expect(await isWhole('2')).toBe(true)
  })

  /** Makes a backup of all objects, of a store that differs in a part. */
  async function createInto(name: string, part: Partial<ObjectStore>, makeLink: typeof link = link) {
    const snapshot = await openPostgresSnapshot(defined(world.postgres?.url))
    const earlier = await openEarlier(at(name))
    try {
      const objects = { ...world.deps.storage.objects, ...part }
      const backup = await beginBackup(at(name), makeLink)
      return await createBackup({ snapshot, objects, backup, now: Date.now(), copiesAll: true, earlier })
    } finally {
      await earlier?.close()
      await snapshot.close()
    }
  }
})
