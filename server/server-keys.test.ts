// Keys that several servers share: a server with other keys does not start.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadVapid, vapidFingerprintOf } from './adapters/push/vapid.ts'
import type { GivenKeys } from './adapters/master-keys.ts'
import { removeLostKey } from './services/keys/lost-key.ts'
import { KeysMissing } from './services/keys/equal-keys.ts'
import { storeRetainedKeys, WrongMasterKey } from './services/keys/retained.ts'
import { openKeys, openVapid } from './services/keys/open-keys.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { refusedStart, type Running, startServer } from './testing/process.ts'
import { databases, openWorld, type World } from './testing/world.ts'

const [FIRST, NEXT, OTHER] = ['f'.repeat(32), 'n'.repeat(32), 'o'.repeat(32)]

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-keys-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((it) => rm(it, { recursive: true, force: true }))))

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a database', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    beforeEach(() => world.database.executeSql('delete from server_keys'))
    afterAll(() => world.close())

    const open = async (given: Partial<GivenKeys>) =>
      (await openKeys(world.deps.db, world.dataDir, given)).secrets.keys[0].fingerprint

    const stored = async () =>
      (await world.database.executeSql('select name, fingerprint from server_keys order by name')).rows

    test('stores the fingerprint of the first key, and refuses a server with another one', async () => {
      const first = await open({ present: FIRST })
      expect(await stored()).toEqual([{ name: 'master', fingerprint: first }])
      expect(await open({ present: FIRST })).toBe(first)
      await expect(open({ present: OTHER })).rejects.toThrow(
        `SECRET_KEY が、このデータベースのものと異なります（データベース側のキーの名前: ${first}）。`,
      )
      expect(await stored()).toEqual([{ name: 'master', fingerprint: first }])
    })

    test('follows a rotation, in which the servers have either key as the present one', async () => {
      const first = await open({ present: FIRST, others: NEXT })
      const next = await open({ present: NEXT, others: FIRST })
      expect(await stored()).toEqual([{ name: 'master', fingerprint: next }])
      expect(await open({ present: FIRST, others: NEXT })).toBe(first)
      expect(await open({ present: NEXT, others: FIRST })).toBe(next)
      // A server that was forgotten could not read what the others seal.
      await expect(open({ present: FIRST })).rejects.toThrow(next)
      expect(await open({ present: NEXT })).toBe(next)
    })

    test('accepts another key once the lost one is removed, also after a rotation', async () => {
      const { secrets } = await openKeys(world.deps.db, world.dataDir, { present: FIRST, others: OTHER })
      await storeRetainedKeys(world.deps.db, secrets, Date.now)
      const lost = await open({ present: FIRST })
      await expect(open({ present: NEXT })).rejects.toThrow(WrongMasterKey)
      await removeLostKey(world.deps.db, lost)
      const next = await open({ present: NEXT })
      await expect(open({ present: FIRST })).rejects.toThrow(`key replace ${next}`)
    })

    test('has a key, without which a server makes none', async () => {
      const empty = await newFolder()
      const first = await open({ present: FIRST })
      await expect(openKeys(world.deps.db, empty, {})).rejects.toThrow(KeysMissing)
      await expect(openKeys(world.deps.db, empty, {})).rejects.toThrow(first)
      await openVapid(world.deps.db, await newFolder(), undefined)
      await expect(openVapid(world.deps.db, empty, undefined)).rejects.toThrow(KeysMissing)
      expect(await readdir(empty)).toEqual([])
    })

    test('has one key after servers with different ones started together', async () => {
      const started = await Promise.allSettled([FIRST, NEXT, OTHER].map((present) => open({ present })))
      expect(started.filter((it) => it.status === 'fulfilled')).toHaveLength(1)
    })

    test('compares the keys for pushes too', async () => {
      const [mine, its] = [await newFolder(), await newFolder()]
      const first = await openVapid(world.deps.db, mine, undefined)
      const name = vapidFingerprintOf(first)
      expect(await openVapid(world.deps.db, its, first)).toEqual(first)
      await loadVapid(its)
      await expect(openVapid(world.deps.db, its, undefined)).rejects.toThrow(
        `VAPID_PUBLIC_KEY が、このデータベースのものと異なります（データベース側の鍵の名前: ${name}）。`,
      )
      await removeLostKey(world.deps.db, name)
      const replacing = await openVapid(world.deps.db, its, undefined)
      expect(await stored()).toEqual([{ name: 'vapid', fingerprint: vapidFingerprintOf(replacing) }])
    })
  })
})

describe.skipIf(!postgresAvailable())('two servers with a data folder each on one PostgreSQL', () => {
  let world: World
  const servers: Running[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    await addProcessMember(world.deps.db)
    await world.database.executeSql('delete from server_keys')
  })
  afterAll(async () => {
    for (const it of servers) await it.end('SIGKILL')
    await world.close()
  })

  test('start with equal keys only, and then accept the sessions of each other', async () => {
    const url = { DATABASE_URL: world.postgres?.url ?? '' }
    const vapid = await loadVapid(await newFolder())
    const pair = { VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: vapid.privateKey }
    const keys = { ...url, SECRET_KEY: FIRST, ...pair }
    const first = await startServer({ ...keys, DATA_DIR: await newFolder() })
    servers.push(first)
    const DATA_DIR = await newFolder()
    expect(await refusedStart({ ...url, SECRET_KEY: OTHER, ...pair, DATA_DIR })).toEqual({
      code: 1,
      output: expect.stringMatching(/^SECRET_KEY が、このデータベースのものと異なります/),
    })
    expect(await refusedStart({ ...url, SECRET_KEY: FIRST, DATA_DIR })).toEqual({
      code: 1,
      output: expect.stringMatching(/^VAPID_PUBLIC_KEY も、データフォルダーの vapid\.json もありません/),
    })
    expect(await readdir(DATA_DIR)).not.toContain('vapid.json')
    const second = await startServer({ ...keys, DATA_DIR })
    servers.push(second)
    const headers = await signInAt(first.origin)
    expect((await fetch(`${second.origin}/api/auth/session`, { headers })).status).toBe(200)
  }, 240_000)
})
