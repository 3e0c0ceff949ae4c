// Files of an identity check, which are decrypted for the admin who took it.
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { audited, documents, prepared, submit } from '#server/testing/people/identity.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { databases, storedAt } from '#server/testing/world.ts'
import { reviewActions, reviewSetup } from '#server/testing/people/review.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('files under review', () => {
    const review = reviewSetup(kind)
    const { fileIds, takeAsAya } = reviewActions(review)

    test('a file is sent unchanged, sandboxed and uncached, and its opening is in the audit log', async () => {
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
        const entry = { actor: review.aya.id, subject: id }
        expect((await audited(review.world)).slice(-2)).toEqual([
          { act: 'identity.view', ...entry },
          { act: 'identity.shown', ...entry },
        ])
      }
    })

    test('without its audit entry a file is not sent', async () => {
      await takeAsAya()
      const [file] = await fileIds()
      await review.world.database.executeSql('alter table audit_log rename to audit_log_away')
      const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${file?.id}`)
      await review.world.database.executeSql('alter table audit_log_away rename to audit_log')
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('a sealed file that was changed or replaced by another is not sent', async () => {
      await takeAsAya()
      const [front, back] = await fileIds()
      const file = storedAt(review.world, 'identity', defined(front?.id))
      const bytes = await readFile(file)
      const altered = Buffer.from(bytes)
      altered[bytes.length - 3] = (altered[bytes.length - 3] ?? 0) ^ 4
      const other = await readFile(storedAt(review.world, 'identity', defined(back?.id)))
      for (const changed of [altered, bytes.subarray(0, -20), other]) {
        await writeFile(file, changed)
        const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${front?.id}`)
        expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
      }
    })

    test('a file that was changed only at its end is not sent in part', async () => {
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
      const id = defined((await fileIds()).at(-1)?.id)
      const file = storedAt(review.world, 'identity', id)
      const bytes = await readFile(file)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(file, bytes)
      const reply = await call(review.world, review.aya, 'GET', `/admin/identity/files/${id}`)
      expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
    })

    test('unknown ids and ids that are paths are not found', async () => {
      for (const id of [newId(), '..%2f..%2fsecret.key', '..', `${newId()}%00`])
        expect((await call(review.world, review.aya, 'GET', `/admin/identity/files/${id}`)).statusCode).toBe(
          404,
        )
    })
  })
})
