// Stored notices: once for each text, also of one number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addNoticeOnce, listUnhandled, setNoticeHandled } from './notices.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('stored notices', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const add = (chargeRef: string, digest: string) =>
      addNoticeOnce(world.deps.db, {
        id: newId(),
        provider: 'test',
        chargeRef,
        kind: '1',
        raw: digest,
        digest,
        remoteAddress: '',
        receivedAt: new Date(world.clock.now),
      })

    test('the same text is the same notice, and another text with its number is another one', async () => {
      const chargeRef = newId()
      const [one, two] = [await add(chargeRef, 'one'), await add(chargeRef, 'two')]
      expect([one.fresh, two.fresh, one.id === two.id]).toEqual([true, true, false])
      expect([await add(chargeRef, 'one'), await add(chargeRef, 'two')]).toEqual([
        { id: one.id, fresh: false },
        { id: two.id, fresh: false },
      ])
    })

    test('a notice is listed for its provider until it is handled', async () => {
      const { id } = await add(newId(), 'x')
      const { db } = world.deps
      const [at, later] = [world.clock.now, world.clock.now + 1]
      expect([
        (await listUnhandled(db, 'test', at, 99)).includes(id),
        (await listUnhandled(db, 'test', later, 99)).includes(id),
      ]).toEqual([false, true])
      expect(await listUnhandled(db, 'another', later, 99)).not.toContain(id)
      await setNoticeHandled(db, id, { outcome: 'unchanged', paymentId: null }, later)
      expect(await listUnhandled(db, 'test', later, 99)).not.toContain(id)
    })
  })
})
