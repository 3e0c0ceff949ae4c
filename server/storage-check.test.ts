// The data folder compared with the database: each difference by hand, and what is mended.
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { runCommand } from './cli/commands.ts'
import { submitted } from './testing/people/identity.ts'
import { upload } from './testing/people/members.ts'
import { openStudio, type Studio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { databases, openWorld, storedAt, type World } from './testing/world.ts'

const DAYS = 3 * 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a check of the storage', () => {
    let world: World
    let studio: Studio
    beforeAll(async () => {
      world = await openWorld({ database: kind, worker: true })
      studio = await openStudio(world)
    })
    afterAll(() => world.close())

    async function run(...options: string[]): Promise<{ code: number; lines: string[] }> {
      const lines: string[] = []
      const print = (line: string) => void (line.startsWith('このデータベースの内容') || lines.push(line))
      const code = await runCommand(['storage', 'check', ...options], { deps: world.deps, print })
      return { code, lines }
    }
    const summary = (found: number, mended = 0) => `違いは${found}件、直したものは${mended}件です。`

    /** Adds a released post with a picture. @returns the ids of the picture and the post */
    async function picture(): Promise<{ id: string; postId: string }> {
      const [field, id] = await studio.image(await jpeg(), 'a.jpg')
      const postId = await studio.post([['type', '1'], field])
      await studio.processedMedia(postId)
      return { id, postId }
    }

    test('finds nothing in a folder that has what the rows have, also for uploads under way', async () => {
      await picture()
      await submitted(world, studio.fan)
      await upload(world, studio.fan, await jpeg(30, 30), 'b.jpg')
      expect(await run()).toEqual({ code: 0, lines: [summary(0)] })
    })

    test('a missing file of a shown picture is found, and made again from its upload', async () => {
      const { id, postId } = await picture()
      const folder = storedAt(world, 'media', id)
      const first = defined((await readdir(folder)).find((it) => it.startsWith('w')))
      await rm(path.join(folder, first))
      expect(await run()).toEqual({
        code: 1,
        lines: [`変換したファイルがありません: ${id} ${first}`, summary(1)],
      })
      const mended = await run('--mend')
      expect([mended.code, mended.lines.at(-1)]).toEqual([0, summary(1, 1)])
      expect((await studio.processedMedia(postId)).map((it) => it.state)).toEqual(['ready'])
      expect(await readdir(folder)).toContain(first)
      expect((await run()).code).toBe(0)
      const { rows } = await world.database.executeSql(
        `select detail from audit_log where act = 'storage.mend'`,
      )
      expect(rows).toEqual([{ detail: { count: 1 } }])
    })

    test('without its upload it stays as it is: what is left is still shown', async () => {
      const { id, postId } = await picture()
      await rm(path.join(storedAt(world, 'media', id), 'blurred.webp'))
      const bytes = await readFile(storedAt(world, 'uploads', id))
      await truncate(storedAt(world, 'uploads', id), 100)
      const { code, lines } = await run('--mend')
      expect(code).toBe(1)
      expect(lines).toEqual([
        `元のファイルの長さが異なります: ${id}（100バイト）`,
        `変換したファイルがありません: ${id} blurred.webp`,
        summary(2),
      ])
      expect((await studio.processedMedia(postId)).map((it) => it.state)).toEqual(['ready'])
      await writeFile(storedAt(world, 'uploads', id), bytes)
      expect((await run('--mend')).code).toBe(0)
      await studio.processedMedia(postId)
    })

    test('a changed document and a missing one are found', async () => {
      const [first = '', second = ''] = (await readdir(storedAt(world, 'identity'))).toSorted()
      const [bytes, other] = await Promise.all(
        [first, second].map((it) => readFile(storedAt(world, 'identity', it))),
      )
      await writeFile(storedAt(world, 'identity', first), Buffer.from(defined(bytes)).fill(0, 30, 40))
      await rm(storedAt(world, 'identity', second))
      const { code, lines } = await run('--mend')
      expect(code).toBe(1)
      expect(lines.slice(0, 2)).toEqual([
        `本人確認の書類を復号できません: ${first}`,
        `本人確認の書類がありません: ${second}`,
      ])
      await writeFile(storedAt(world, 'identity', first), defined(bytes))
      await writeFile(storedAt(world, 'identity', second), defined(other))
      expect((await run()).code).toBe(0)
    })

    test('a ready export without its zip becomes a failed one', async () => {
      const id = newId()
      await world.database.executeSql(
        `insert into data_exports (id, user_id, state, created_at) values ($1, $2, 'ready', now())`,
        [id, studio.fan.id],
      )
      expect((await run('--mend')).lines).toEqual([
        `書き出したファイルがありません: ${id} → 失敗として記録しました`,
        summary(1, 1),
      ])
      const { rows } = await world.database.executeSql('select state from data_exports where id = $1', [id])
      expect(rows).toEqual([{ state: 'failed' }])
    })

    test('old files without a row are removed only on request; younger ones are not listed', async () => {
      const extra = [
        storedAt(world, 'uploads', newId()),
        storedAt(world, 'uploads', 'notes.txt'),
        storedAt(world, 'identity', newId()),
        storedAt(world, 'identity-uploads', newId()),
        storedAt(world, 'exports', `${newId()}.zip`),
      ]
      const folder = storedAt(world, 'media', newId())
      for (const it of extra) await writeFile(it, 'x')
      await mkdir(folder)
      expect(await run()).toEqual({ code: 0, lines: [summary(0)] })
      const old = new Date(Date.now() - DAYS)
      for (const it of [...extra, folder]) await utimes(it, old, old)
      expect((await run('--mend')).lines.at(-1)).toBe(summary(6))
      const { code, lines } = await run('--remove-extra')
      expect([code, lines.at(-1)]).toEqual([0, summary(6, 6)])
      for (const it of [...extra, folder])
        expect(lines).toContain(
          `データベースにないファイルです: ${path.relative(world.dataDir, it)} → 削除しました`,
        )
      expect(await run()).toEqual({ code: 0, lines: [summary(0)] })
    })

    test('ends with 2 for an unknown option', async () => {
      expect((await run('--other')).code).toBe(2)
    })
  })
})
