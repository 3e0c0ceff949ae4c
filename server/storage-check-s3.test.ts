// An object store compared with the database: uploads in parts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TUS_CHUNK } from '#contract/limits.ts'
import { runCommand } from './cli/commands.ts'
import { removeUpload } from './store/media/uploads.ts'
import { beginUpload } from './testing/media/uploads.ts'
import { type Member, noise, patch, signUp } from './testing/people/members.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { begunIn, keysIn, newBuckets, type S3Settings } from './testing/s3/stores.ts'
import { openWorld, type World } from './testing/world.ts'

const DAYS = 3 * 24 * 3600_000

describe.skipIf(!cephAvailable())('a check of an object store', () => {
  let world: World
  let s3: S3Settings
  let owner: Member
  beforeAll(async () => {
    s3 = await newBuckets()
    world = await openWorld({ parts: { s3 } })
    owner = await signUp(world)
  })
  afterAll(() => world.close())

  const left = async () => [...(await keysIn(s3, s3.bucket)), ...(await begunIn(s3, s3.bucket))]
  async function check(...words: string[]): Promise<{ code: number; lines: string[] }> {
    const lines: string[] = []
    const print = (line: string) => void (line.startsWith('このデータベースの内容') || lines.push(line))
    return { code: await runCommand(['storage', 'check', ...words], { deps: world.deps, print }), lines }
  }
  const finding = (id: string, result = '') => `データベースにないファイルです: uploads/${id}${result}`

  test('names an upload without a row once, and removes it with its parts and its tail on request', async () => {
    const [parts, tail] = [
      await beginUpload(world, owner, TUS_CHUNK + 1001),
      await beginUpload(world, owner, 2000),
    ]
    await patch(world, owner, parts, 0, noise(TUS_CHUNK))
    await patch(world, owner, parts, TUS_CHUNK, noise(1000))
    await patch(world, owner, tail, 0, noise(1000))
    for (const id of [parts, tail]) await removeUpload(world.deps.db, id, owner.id)
    expect((await left()).length).toBe(3)
    world.clock.now = Date.now() + DAYS
    const found = await check()
    const ids = [parts, tail].toSorted()
    expect([found.code, found.lines.slice(0, -1).toSorted()]).toEqual([1, ids.map((it) => finding(it))])
    const removed = await check('--remove-extra')
    expect([removed.code, removed.lines.slice(0, -1).toSorted()]).toEqual([
      0,
      ids.map((it) => finding(it, ' → 削除しました')),
    ])
    expect(await left()).toEqual([])
  })
})
