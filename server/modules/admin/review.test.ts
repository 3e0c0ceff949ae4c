// Reviews of identity checks: for admins only, with each action in the audit log.
import { describe, expect, test } from 'vitest'
import { checkLists } from '#contract/identity/check-lists.ts'
import { newId } from '#contract/ids.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { admin, audited, prepared, submit, submitted } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases } from '#server/testing/world.ts'
import { reviewActions, reviewSetup, stateOrError } from '#server/testing/people/review.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('reviewing', () => {
    const review = reviewSetup(kind)
    const { act, see, state, opened, fileIds, acts } = reviewActions(review)

    test('a check in the list is taken and approved, which identifies the person, and each action is audited', async () => {
      const list = await call(review.world, review.aya, 'GET', '/admin/identity/checks')
      expect(list.json().checks).toContainEqual(
        expect.objectContaining({
          id: review.check,
          state: 'submitted',
          person: expect.objectContaining({ id: review.person.id }),
        }),
      )
      expect(await act(review.aya, 'take')).toBe('in_review')
      expect((await state()).is).toBe('in_review')
      await see(review.aya)
      expect(await act(review.aya, 'approve')).toBe('approved')
      expect(await act(review.aya, 'approve'), 'repeated after a lost reply').toBe('approved')
      expect(await state()).toEqual({ is: 'approved', at: expect.any(String) })
      const { rows } = await review.world.database.executeSql(
        `select identified_at is not null as yes from users where id = '${review.person.id}'`,
      )
      expect(rows).toEqual([{ yes: true }])
      expect(await acts()).toEqual([
        ['identity.take', review.aya.id],
        ['identity.approve', review.aya.id],
      ])
      expect(errorOf(await submit(review.world, review.person, await anything())).code).toBe('conflict')
    })

    test('a rejection has a reason and a note, and the person can submit again', async () => {
      await act(review.aya, 'take')
      expect(await act(review.aya, 'reject', { reason: 'cut_off', note: '右上が切れています。' })).toBe(
        'rejected',
      )
      expect(await state()).toMatchObject({ is: 'rejected', reason: 'cut_off', note: '右上が切れています。' })
      expect(
        (await submit(review.world, review.person, await prepared(review.world, review.person))).statusCode,
      ).toBe(200)
    })

    test('only the admin who took a check decides or returns it; then another one can take it', async () => {
      expect(await act(review.aya, 'approve')).toEqual([409, 'conflict'])
      await act(review.aya, 'take')
      expect(await act(review.aya, 'take'), 'repeated after a lost reply').toBe('in_review')
      for (const action of ['approve', 'take', 'return'])
        expect(await act(review.ben, action)).toEqual([409, 'conflict'])
      expect(await act(review.aya, 'return')).toBe('submitted')
      expect(await act(review.aya, 'return'), 'repeated after a lost reply').toBe('submitted')
      expect(await act(review.aya, 'approve')).toEqual([409, 'conflict'])
      expect(await act(review.ben, 'take')).toBe('in_review')
      await see(review.ben)
      expect(await act(review.ben, 'approve')).toBe('approved')
      expect(await acts()).toEqual([
        ['identity.take', review.aya.id],
        ['identity.return', review.aya.id],
        ['identity.take', review.ben.id],
        ['identity.approve', review.ben.id],
      ])
    })

    test('of two admins who take a check at once one gets it, and the other is refused', async () => {
      const ends = await Promise.all([act(review.aya, 'take'), act(review.ben, 'take')])
      expect(ends.map(String).toSorted()).toEqual(['409,conflict', 'in_review'])
    })

    test('a taken check is locked for 15 minutes; then it waits again, and is decided by the one who takes it', async () => {
      await act(review.aya, 'take')
      const until = new Date(review.world.clock.now + CASE_LOCK_MS).toISOString()
      expect(await opened(review.ben)).toMatchObject({
        reviewer: { id: review.aya.id },
        taken_until: until,
        takeable: false,
      })
      review.world.clock.now += CASE_LOCK_MS - 1
      expect(await act(review.ben, 'take')).toEqual([409, 'conflict'])
      review.world.clock.now += 1
      expect(await opened(review.ben)).toMatchObject({ taken_until: null, takeable: true })
      expect([await listsOf(review.aya), await listsOf(review.ben)]).toEqual([['waiting'], ['waiting']])
      for (const action of ['approve', 'reject'])
        expect(await act(review.aya, action, { reason: 'other' })).toEqual([409, 'conflict'])
      expect((await state()).is).toBe('in_review')
      expect(await act(review.ben, 'take')).toBe('in_review')
      expect(await act(review.aya, 'approve')).toEqual([409, 'conflict'])
      await see(review.ben)
      expect(await act(review.ben, 'approve')).toBe('approved')
      expect(await acts()).toEqual([
        ['identity.take', review.aya.id],
        ['identity.read', review.ben.id],
        ['identity.read', review.ben.id],
        ['identity.take', review.ben.id],
        ['identity.approve', review.ben.id],
      ])
    })

    test('of two admins who take a check at once after its lock has ended one gets it', async () => {
      await act(review.aya, 'take')
      review.world.clock.now += CASE_LOCK_MS
      const ends = await Promise.all([act(review.ben, 'take'), act(review.aya, 'take')])
      expect(ends.map(String).toSorted()).toEqual(['409,conflict', 'in_review'])
      const won = ends[0] === 'in_review' ? review.ben : review.aya
      expect(await opened(won)).toMatchObject({ reviewer: { id: won.id } })
    })

    test('only the admin who took a check sees its files and the person’s details', async () => {
      expect(await opened(review.aya)).toMatchObject({ evidence: null, takeable: true, reviewer: null })
      await act(review.aya, 'take')
      expect(await opened(review.aya)).toMatchObject({
        evidence: { birth_date: '1990-04-01', files: [{}, {}, {}] },
        takeable: false,
        reviewer: { id: review.aya.id },
      })
      expect(await opened(review.ben)).toMatchObject({
        evidence: null,
        takeable: false,
        reviewer: { id: review.aya.id },
      })
    })

    test('each list has the checks of its name, and every page of a list is in the audit log', async () => {
      const before = (await audited(review.world)).length
      expect(await listsOf(review.aya)).toEqual(['waiting'])
      const listed = (await audited(review.world)).slice(before)
      expect(listed).toEqual(
        checkLists.map(() => ({ act: 'identity.list', actor: review.aya.id, subject: review.aya.id })),
      )
      await act(review.aya, 'take')
      expect([await listsOf(review.aya), await listsOf(review.ben)]).toEqual([['mine'], ['others']])
      await act(review.aya, 'reject', { reason: 'other' })
      expect([await listsOf(review.aya), await listsOf(review.ben)]).toEqual([['decided'], ['decided']])
    })

    test('of an approval and a rejection at once one succeeds', async () => {
      await act(review.aya, 'take')
      await see(review.aya)
      const ends = await Promise.all([
        act(review.aya, 'approve'),
        act(review.aya, 'reject', { reason: 'other' }),
      ])
      expect(ends.filter((it) => typeof it === 'string')).toHaveLength(1)
    })

    test.each(['take', 'return', 'approve', 'reject'])(
      'an admin cannot %s their own check',
      async (action) => {
        const own = await admin(review.world)
        review.check = await submitted(review.world, own)
        expect(await opened(own)).toMatchObject({ takeable: false, evidence: null })
        expect(await act(own, action, { reason: 'other' })).toEqual([403, 'forbidden'])
        expect(await act(review.aya, 'take')).toBe('in_review')
        expect(await act(own, action, { reason: 'other' }), 'in review').toEqual([403, 'forbidden'])
      },
    )

    test('an unknown reason and a note that is too long are refused', async () => {
      await act(review.aya, 'take')
      expect(await act(review.aya, 'reject', { reason: 'ugly' })).toEqual([422, 'invalid'])
      expect(await act(review.aya, 'reject', { reason: 'other', note: 'あ'.repeat(501) })).toEqual([
        422,
        'invalid',
      ])
      expect(await act(review.aya, 'reject', { reason: 'other', note: '👩🏽'.repeat(500) })).toBe('rejected')
    })

    test('every endpoint is not_found for members and unauthenticated for visitors', async () => {
      await act(review.aya, 'take')
      const [file] = await fileIds()
      await act(review.aya, 'return')
      const paths = [
        ['GET', '/admin/identity/checks'],
        ['GET', `/admin/identity/checks/${review.check}`],
        ['POST', `/admin/identity/checks/${review.check}/take`],
        ['POST', `/admin/identity/checks/${review.check}/return`],
        ['POST', `/admin/identity/checks/${review.check}/approve`],
        ['POST', `/admin/identity/checks/${review.check}/reject`],
        ['GET', `/admin/identity/files/${file?.id}`],
      ] as const
      const before = (await audited(review.world)).length
      for (const [method, path] of paths) {
        const payload = method === 'POST' ? { reason: 'other' } : undefined
        expect(stateOrError(await call(review.world, review.person, method, path, payload))).toEqual([
          404,
          'not_found',
        ])
        expect(stateOrError(await call(review.world, null, method, path, payload))).toEqual([
          401,
          'unauthenticated',
        ])
      }
      expect((await audited(review.world)).length).toBe(before)
      expect((await state()).is).toBe('submitted')
    })

    test('the pages of a list have every check once, in order', async () => {
      const person2 = await signUp(review.world)
      const one = await submitted(review.world, person2)
      await review.world.database.executeSql(
        `insert into identity_checks (id, user_id, idempotency_key, state, document_kind, prompts, submitted_at)
         select gen_random_uuid(), user_id, gen_random_uuid(), 'rejected', document_kind, prompts, submitted_at
         from identity_checks, generate_series(1, 64) where id = '${one}'`,
      )
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`
        const page = (
          await call(review.world, review.aya, 'GET', `/admin/identity/checks?list=decided${query}`)
        ).json<{
          checks: { id: string }[]
          next: string | null
        }>()
        seen.push(...page.checks.map((it) => it.id))
        cursor = page.next
      } while (cursor !== null)
      const { rows } = await review.world.database.executeSql(
        `select id from identity_checks where state in ('approved', 'rejected')
         order by submitted_at desc, id desc`,
      )
      expect(seen).toEqual((rows as { id: string }[]).map((it) => it.id))
      expect(seen.length).toBeGreaterThan(60)
      expect(
        stateOrError(await call(review.world, review.aya, 'GET', '/admin/identity/checks?cursor=nonsense')),
      ).toEqual([422, 'invalid'])
    })

    /** The lists that have the check, for an admin. */
    const listsOf = async (as: Member) => {
      const found: string[] = []
      for (const list of checkLists) {
        const page = await call(review.world, as, 'GET', `/admin/identity/checks?list=${list}`)
        if (page.json<{ checks: { id: string }[] }>().checks.some((it) => it.id === review.check))
          found.push(list)
      }
      return found
    }

    const anything = async () => {
      const one = { upload_id: newId(), digest: `${'A'.repeat(43)}=` }
      return { prompts_id: newId(), document_kind: 'passport', front: one, live: one }
    }
  })
})
