// An approval requires that every part was sent to its reviewer whole (decision 120).
import { readFile, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import {
  admin,
  audited,
  comparedBy,
  documents,
  identify,
  LEGAL_NAME,
  prepared,
  setNameOf,
  submit,
} from '#server/testing/people/identity.ts'
import { reviewActions, reviewSetup } from '#server/testing/people/review.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, storedAt } from '#server/testing/world.ts'
import { beforeLastByte } from './shown.ts'

const unseen = [409, 'unseen']

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an approval', () => {
    const review = reviewSetup(kind)
    const { act, see, opened, state, fileIds, takeAsAya } = reviewActions(review)
    const get = (id: string, headers: Record<string, string> = {}, as: Member = review.aya) =>
      call(review.world, as, 'GET', `/admin/identity/files/${id}`, undefined, headers)
    const approve = async (as: Member = review.aya, changed: object = {}) =>
      act(as, 'approve', { ...LEGAL_NAME, birth_date: '1990-04-01', ...changed })
    const isShown = async (as: Member = review.aya) =>
      (await opened(as)).evidence?.files.map((it) => it.shown)
    beforeEach(takeAsAya)

    test('is refused until each document and the recording was sent whole, and a rejection is not', async () => {
      const files = await fileIds()
      for (const { id } of files) {
        expect(await approve()).toEqual(unseen)
        await get(id)
      }
      expect(await isShown()).toEqual([true, true, true])
      expect((await state()).is, 'nothing was decided').toBe('in_review')
      expect(await approve()).toBe('approved')
    })

    test('is refused for parts that another reviewer was shown, also after it was taken over', async () => {
      await see(review.aya)
      await act(review.aya, 'return')
      await act(review.ben, 'take')
      await identify(review.world, review.ben)
      expect(await isShown(review.ben)).toEqual([false, false, false])
      expect(await approve(review.ben)).toEqual(unseen)
      expect(await approve(), 'the one who was shown them does not hold it').toEqual([409, 'conflict'])
      await see(review.ben)
      expect(await approve(review.ben)).toBe('approved')
    })

    test('is not refused for what the same reviewer was shown before the lock ended', async () => {
      await see(review.aya)
      await act(review.aya, 'return')
      await act(review.aya, 'take')
      expect(await approve()).toBe('approved')
    })

    test('of a second check is refused for parts of the first', async () => {
      await see(review.aya)
      await act(review.aya, 'reject', { reason: 'cut_off' })
      const again = await submit(review.world, review.person, await prepared(review.world, review.person))
      review.check = again.json().data.id
      await takeAsAya()
      expect(await approve()).toEqual(unseen)
    })

    test('is refused after parts of a file, its headers, and a file that broke', async () => {
      const [front, back, live] = await fileIds()
      await get(defined(front).id)
      const { id } = defined(live)
      const { length } = defined((await opened(review.aya)).evidence?.files.at(-1))
      for (const range of ['bytes=0-1', 'bytes=1-', `bytes=0-${length - 2}`, `bytes=${length}-`])
        await get(id, { range })
      const url = `/api/admin/identity/files/${id}`
      await review.world.app.inject({ method: 'HEAD', url, headers: review.aya.auth })
      const file = storedAt(review.world, 'identity', defined(back).id)
      const bytes = await readFile(file)
      const altered = Buffer.from(bytes)
      altered[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await writeFile(file, altered)
      await get(defined(back).id)
      await writeFile(file, bytes)
      expect(await isShown()).toEqual([true, false, false])
      await get(defined(back).id)
      expect(await approve()).toEqual(unseen)
      expect((await get(id, { range: 'bytes=0-' })).statusCode, 'all bytes in one range').toBe(206)
      expect(await approve()).toBe('approved')
    })

    test('is refused for a name or a birth date that the reviewer was not shown, and without a name', async () => {
      await see(review.aya)
      for (const changed of [
        { legal_name: '届 太郎' },
        { legal_name_kana: 'トドケ　タロウ' },
        { birth_date: '1991-04-01' },
      ])
        expect(await approve(review.aya, changed)).toEqual(unseen)
      const shown = await comparedBy(review.world, review.aya, review.check)
      await setNameOf(review.world, review.person, { legal_name: '別の 名前', legal_name_kana: 'ベツ' })
      expect(await act(review.aya, 'approve', shown), 'changed after it was shown').toEqual(unseen)
      const info = { name: '名前', birth_date: '1990-04-01', legal_name: '', legal_name_kana: '' }
      await call(review.world, review.person, 'PUT', '/auth/info', info)
      const body = await comparedBy(review.world, review.aya, review.check)
      expect(await act(review.aya, 'approve', body), 'a name taken back').toEqual([422, 'invalid'])
      const path = `/admin/identity/checks/${review.check}/approve`
      const old = await call(review.world, review.aya, 'POST', path)
      expect(old.statusCode, 'an app of before').toBe(422)
      expect(await act(review.aya, 'reject', { reason: 'details_differ' })).toBe('rejected')
    })

    test('has one entry of the audit log for each part, however often it was sent', async () => {
      const [front] = await fileIds()
      for (const _ of [1, 2]) await get(defined(front).id)
      const acts = (await audited(review.world)).filter((it) => it.subject === front?.id)
      expect(acts.map((it) => it.act)).toEqual(['identity.view', 'identity.shown', 'identity.view'])
    })

    test('without its entry a file ends before its last byte', async () => {
      const files = await documents()
      const person = await signUp(review.world)
      const sent = await submit(review.world, person, await prepared(review.world, person, files))
      review.check = sent.json().data.id
      await takeAsAya()
      const [front] = await fileIds()
      await review.world.database.executeSql(
        `alter table audit_log add constraint no_shown check (act <> 'identity.shown') not valid`,
      )
      const reply = await get(defined(front).id).catch(() => undefined)
      await review.world.database.executeSql('alter table audit_log drop constraint no_shown')
      expect(reply?.rawPayload.toString('hex')).not.toBe(files.front.toString('hex'))
      expect(await isShown()).toEqual([false, false, false])
    })

    test('is for admins alone: members, moderators and finance find nothing', async () => {
      await see(review.aya)
      const other = await admin(review.world)
      for (const role of ['member', 'moderator', 'finance']) {
        await review.world.database.executeSql('update users set role = $1 where id = $2', [role, other.id])
        expect([role, await approve(other)]).toEqual([role, [404, 'not_found']])
      }
    })
  })
})

describe('the record of what was sent', () => {
  async function* pieces(...texts: string[]) {
    for (const it of texts) {
      if (it === 'broken') throw new Error(it)
      yield Buffer.from(it)
    }
  }
  /** The pieces that are read, and 'done' where the record was made. */
  async function readAll(source: AsyncIterable<Buffer>): Promise<string[]> {
    const seen: string[] = []
    const read = beforeLastByte(source, async () => void seen.push('done'))
    try {
      for await (const it of read) seen.push(it.toString())
    } catch (error) {
      seen.push((error as Error).message)
    }
    return seen
  }

  test.each([
    [
      ['abc', 'def'],
      ['abc', 'de', 'done', 'f'],
    ],
    [['a'], ['done', 'a']],
    [
      ['ab', '', ''],
      ['a', 'done', 'b'],
    ],
    [[], []],
    [['abc', 'broken'], ['broken']],
  ])('of %j', async (given, seen) => {
    expect(await readAll(pieces(...given))).toEqual(seen)
  })

  test('is not made for a reader who leaves before the end', async () => {
    let done = false
    for await (const _ of beforeLastByte(pieces('abc', 'def', 'ghi'), async () => void (done = true))) break
    expect(done).toBe(false)
  })
})
