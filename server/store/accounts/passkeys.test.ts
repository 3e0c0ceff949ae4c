// A passkey used twice with the same counter is refused as a copy.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addPasskey, findPasskey, recordPasskeyUse } from './passkeys.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a passkey', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    async function withCounter(counter: number): Promise<(counter: number) => Promise<boolean>> {
      const { db } = world.deps
      const member = await signUp(world)
      const id = newId()
      await addPasskey(db, {
        id,
        userId: member.id,
        publicKey: 'key',
        counter,
        transports: [],
        backedUp: false,
        name: '鍵',
        createdAt: new Date(world.clock.now),
        lastUsedAt: null,
      })
      expect(await findPasskey(db, id)).toMatchObject({ counter })
      return (to) => recordPasskeyUse(db, id, { counter: to, backedUp: false }, world.clock.now)
    }

    test('used concurrently with one counter is accepted once', async () => {
      const use = await withCounter(5)
      expect((await Promise.all([use(6), use(6), use(6)])).filter(Boolean)).toHaveLength(1)
      expect([await use(6), await use(5), await use(7)]).toEqual([false, false, true])
    })

    test('is accepted each time with a counter of zero, until its counter has grown', async () => {
      const use = await withCounter(0)
      expect([await use(0), await use(0), await use(1), await use(0)]).toEqual([true, true, true, false])
    })
  })
})
