// Making and verifying backups: their content, refusals, and a run that is killed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { openPostgresSnapshot, type Snapshot } from '#server/adapters/database/snapshot.ts'
import { beginBackup } from '#server/adapters/files/backup-folder.ts'
import { readEnv } from '#server/env/env.ts'
import { createBackup } from '#server/services/backup/create.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { submitted, uploadDocument } from '#server/testing/people/identity.ts'
import { type Member, upload } from '#server/testing/people/members.ts'
import { openStudio } from '#server/testing/people/studio.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, storedAt, type World } from '#server/testing/world.ts'
import { backupCreate } from './create.ts'
import { backupErasures } from './erasures.ts'
import { backupVerify } from './verify.ts'

const whole = 'バックアップはそろっています。'

describe.skipIf(!postgresAvailable())('a backup of a server that runs', () => {
  let world: World
  let person: Member
  let parent = ''
  let folder = ''
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres', worker: true })
    const studio = await openStudio(world)
    person = studio.creator
    const [field] = await studio.image(await jpeg(), 'a.jpg')
    await studio.processedMedia(await studio.post([['type', '1'], field]))
    await submitted(world, studio.fan)
    parent = await mkdtemp(path.join(tmpdir(), 'todoke-backups-'))
  })
  afterAll(async () => {
    await world.close()
    await rm(parent, { recursive: true })
  })
  beforeEach(() => {
    folder = path.join(parent, newId())
  })

  const env = () => readEnv({ DATABASE_URL: world.postgres?.url, DATA_DIR: world.dataDir })
  async function run(command: typeof backupCreate, ...args: string[]) {
    const lines: string[] = []
    const code = await command.runAlone({ env: env(), args, print: (line) => void lines.push(line) })
    return { code, lines }
  }
  const made = async () => {
    expect((await run(backupCreate, folder)).code).toBe(0)
    return folder
  }

  test('has a dump, each object of the rows and their digests, and no other file of the data folder', async () => {
    await made()
    const lines = (await readFile(path.join(folder, 'objects.jsonl'), 'utf8')).trimEnd().split('\n')
    const listed = lines.map((it) => JSON.parse(it) as { key: string; sha256: string })
    const ofFolders = await Promise.all(
      ['uploads', 'media', 'identity'].map(async (it) =>
        (await readdir(storedAt(world, it), { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => path.relative(world.dataDir, path.join(entry.parentPath, entry.name))),
      ),
    )
    expect(listed.map((it) => it.key).toSorted()).toEqual(ofFolders.flat().toSorted())
    expect(listed.every((it) => /^[\da-f]{64}$/.test(it.sha256))).toBe(true)
    const manifest = await readFile(path.join(folder, 'backup.json'), 'utf8')
    expect(JSON.parse(manifest)).toMatchObject({ format: 1, database: 'postgres', objects: { missing: 0 } })
    const key = await readFile(storedAt(world, 'secret.key'), 'utf8')
    expect(manifest).not.toContain(key.trim())
    expect(await readdir(folder)).toEqual(['backup.json', 'database.dump', 'objects', 'objects.jsonl'])
    expect(await run(backupVerify, folder)).toEqual({ code: 0, lines: [whole] })
    expect(await run(backupVerify, folder, '--quick')).toEqual({ code: 0, lines: [whole] })
  })

  test('can be read by this user alone', async () => {
    await made()
    for (const it of [
      folder,
      ...(await readdir(folder, { recursive: true })).map((name) => path.join(folder, name)),
    ]) {
      const about = await stat(it)
      expect([it, about.mode & 0o777]).toEqual([it, about.isDirectory() ? 0o700 : 0o600])
    }
  })

  test('has no document that is not encrypted yet', async () => {
    const id = await uploadDocument(world, person, await jpeg())
    expect((await stat(storedAt(world, 'identity-uploads', id))).size).toBeGreaterThan(0)
    await made()
    expect((await readdir(folder, { recursive: true })).filter((it) => it.includes(id))).toEqual([])
    expect(await readFile(path.join(folder, 'objects.jsonl'), 'utf8')).not.toContain(id)
    await world.database.executeSql('delete from uploads where id = $1', [id])
    await rm(storedAt(world, 'identity-uploads', id))
  })

  test('with a row whose object is missing names it and ends with 1, but is complete', async () => {
    const id = await upload(world, person, await jpeg(), 'b.jpg')
    await rm(storedAt(world, 'uploads', id))
    const { code, lines } = await run(backupCreate, folder)
    expect([code, lines.at(-1)]).toEqual([1, `  uploads/${id}`])
    expect((await run(backupVerify, folder)).code).toBe(0)
    await world.database.executeSql('delete from uploads where id = $1', [id])
  })

  test('agrees with one moment, while rows and objects are added and deleted', async () => {
    const [added, deleted] = [newId(), await upload(world, person, await jpeg(), 'c.jpg')]
    const snapshot = await openPostgresSnapshot(defined(world.postgres?.url))
    const meanwhile: Snapshot = {
      ...snapshot,
      async dumpTo(file) {
        await upload(world, person, await jpeg(), 'd.jpg', added)
        await world.database.executeSql('delete from uploads where id = $1', [deleted])
        await rm(storedAt(world, 'uploads', deleted))
        await snapshot.dumpTo(file)
      },
    }
    const { objects } = world.deps.storage
    const ports = { snapshot: meanwhile, objects, now: Date.now(), copiesAll: false }
    const { lost } = await createBackup({ ...ports, backup: await beginBackup(folder) })
    await snapshot.close()
    expect(lost).toEqual([])
    const dump = path.join(folder, 'database.dump')
    const rows = spawnSync('pg_restore', ['--data-only', '--table=uploads', '--file=-', dump], {
      encoding: 'utf8',
    })
    expect([rows.stdout.includes(added), rows.stdout.includes(deleted)]).toEqual([false, true])
    const list = await readFile(path.join(folder, 'objects.jsonl'), 'utf8')
    expect([list.includes(added), list.includes(deleted)]).toEqual([false, false])
  })

  test('each change of its files is found', async () => {
    await made()
    const [copy = ''] = await readdir(path.join(folder, 'objects/uploads'))
    const file = path.join(folder, 'objects/uploads', copy)
    const bytes = await readFile(file)
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1)
    const differsBy = async (work: () => Promise<unknown>, ...options: string[]) => {
      await work()
      return run(backupVerify, folder, ...options)
    }
    const about = `ファイルの内容が作成時と異なります: uploads/${copy}`
    const one = '違いが1件あります。'
    expect(await differsBy(() => writeFile(file, changed))).toEqual({ code: 1, lines: [about, one] })
    expect((await differsBy(async () => undefined, '--quick')).code).toBe(0)
    expect((await differsBy(() => writeFile(file, bytes.subarray(1)), '--quick')).lines).toEqual([about, one])
    expect((await differsBy(() => rm(file))).lines).toEqual([`ファイルがありません: uploads/${copy}`, one])
    await writeFile(file, bytes)
    const dump = path.join(folder, 'database.dump')
    const bytesOfDump = await readFile(dump)
    expect((await differsBy(() => writeFile(dump, bytesOfDump.subarray(0, -1)))).lines).toEqual([
      'ファイルの内容が作成時と異なります: database.dump',
      one,
    ])
    expect((await differsBy(() => writeFile(path.join(folder, 'backup.json'), '{}'))).lines).toEqual([
      'backup.json を読めません。別の版のバックアップか、壊れています。',
      one,
    ])
  })

  test('is refused in a folder that is not empty', async () => {
    await mkdir(folder)
    await writeFile(path.join(folder, 'x'), '')
    await expect(run(backupCreate, folder)).rejects.toThrow('空ではありません')
    await rm(path.join(folder, 'x'))
    expect((await run(backupCreate, folder)).code).toBe(0)
    await expect(run(backupVerify, parent)).rejects.toThrow('バックアップのフォルダーではありません')
  })

  test.each([[], ['a', 'b'], ['a', '--other'], ['']])(
    'ends with 2 for the parameters %j',
    async (...args) => {
      for (const it of [backupCreate, backupVerify]) expect((await run(it, ...args)).code).toBe(2)
      if (args[1] !== '--other') expect((await run(backupErasures, ...args)).code).toBe(2)
    },
  )

  test('that is killed leaves a folder with .partial, which is neither verified nor written again', async () => {
    // A program that never ends, in place of the one that dumps.
    const programs = path.join(parent, 'programs')
    await mkdir(programs)
    const program = path.join(programs, 'pg_dump')
    await writeFile(
      program,
      '#!/bin/sh\ncase "$1" in --version) echo "pg_dump (PostgreSQL) 99.0";; *) exec sleep 1000;; esac\n',
    )
    await chmod(program, 0o755)
    const main = path.join(import.meta.dirname, '../main.ts')
    const child = spawn(process.execPath, [main, 'backup', 'create', folder], {
      env: {
        ...process.env,
        PATH: `${programs}:${process.env['PATH']}`,
        DATABASE_URL: world.postgres?.url,
        DATA_DIR: world.dataDir,
      },
      stdio: 'ignore',
      detached: true,
    })
    const exists = () =>
      readdir(`${folder}.partial`).then(
        () => true,
        () => false,
      )
    await expect.poll(exists).toBe(true)
    const ended = once(child, 'exit')
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
    expect(await readdir(parent)).not.toContain(path.basename(folder))
    await expect(run(backupVerify, `${folder}.partial`)).rejects.toThrow('途中で終わったバックアップです')
    await expect(run(backupCreate, folder)).rejects.toThrow('途中で終わったバックアップ')
    await rm(`${folder}.partial`, { recursive: true })
    expect((await run(backupCreate, folder)).code).toBe(0)
  })
})
