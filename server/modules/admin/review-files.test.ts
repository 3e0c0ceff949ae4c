// Files of an identity check: read from their seal, for the admin who took it alone.
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { audited, documents, prepared, submit } from '#server/testing/people/identity.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { databases } from '#server/testing/world.ts'
import { reviewActs, reviewSetup } from '#server/testing/people/review.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('files under review', () => {
    const review = reviewSetup(kind)
    const { fileIds, takeAsAya } = reviewActs(review)

    test('a file comes out as it was sent, inert, kept by nobody, and is in the log before it comes', async () => {
      const files = await documents()
      review.person = await signUp(review.world)
      review.check = (
        await submit(review.world, review.person, await prepared(review.world, review.person, files))
      ).json().data.id
      await takeAsAya()
      for (const { id, part } of await fileIds()) {
        const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${id}`)
        expect(reply.statusCode).toBe(200)
        expect(reply.rawPayload.equals(files[part as keyof typeof files])).toBe(true)
        expect(reply.headers).toMatchObject({
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; sandbox",
          'content-type': part === 'live' ? 'video/webm' : 'image/jpeg',
          'x-content-type-options': 'nosniff',
        })
        expect((await audited(review.world)).at(-1)).toEqual({
          act: 'identity.view',
          actor: review.aya.id,
          subject: id,
        })
      }
    })

    test('without its entry in the log a file is not shown', async () => {
      await takeAsAya()
      const [file] = await fileIds()
      await review.world.database.executeSql('alter table audit_log rename to audit_log_away')
      const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${file?.id}`)
      await review.world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('a sealed file that was changed, or exchanged for another, is refused whole', async () => {
      await takeAsAya()
      const [front, back] = await fileIds()
      const place = review.world.deps.files.sealedPath(front?.id ?? '')
      const bytes = await readFile(place)
      const turned = Buffer.from(bytes)
      turned[bytes.length - 3] = (turned[bytes.length - 3] ?? 0) ^ 4
      const other = await readFile(review.world.deps.files.sealedPath(back?.id ?? ''))
      for (const changed of [turned, bytes.subarray(0, -20), other]) {
        await writeFile(place, changed)
        const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${front?.id}`)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
      }
    })

    test('one that was changed only at its end is not half shown', async () => {
      const files = await documents()
      const live = Buffer.concat([files.live, Buffer.alloc(700_000)])
      review.person = await signUp(review.world)
      review.check = (
        await submit(
          review.world,
          review.person,
          await prepared(review.world, review.person, { ...files, live }),
        )
      ).json().data.id
      await takeAsAya()
      const id = (await fileIds()).at(-1)?.id ?? ''
      const place = review.world.deps.files.sealedPath(id)
      const bytes = await readFile(place)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(place, bytes)
      const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${id}`)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('names that are paths find no file', async () => {
      for (const id of [newId(), '..%2f..%2fsecret.key', '..', `${newId()}%00`])
        expect((await call(review.world, review.aya, 'GET', `/admin/identity/files/${id}`)).statusCode).toBe(
          404,
        )
    })
  })
})
