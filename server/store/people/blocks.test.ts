// Conditions of list queries: not blocked, not muted, present.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addBlock, notBlocked } from './blocks.ts'
import { notMuted } from './mutes.ts'
import { isPresent } from './people.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { mutes, users } from '#server/store/tables/people.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('conditions', () => {
    let world: World
    let me: Member
    const others: Record<string, Member> = {}
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      me = await signUp(world)
      for (const name of ['friend', 'blocked', 'blocker', 'muted', 'muter', 'leaving', 'suspended', 'gone'])
        others[name] = await signUp(world)
      const at = new Date(world.clock.now)
      await addBlock(world.deps.db, me.id, idOf('blocked'), world.clock.now)
      await addBlock(world.deps.db, idOf('blocker'), me.id, world.clock.now)
      await world.deps.db.insert(mutes).values([
        { muterId: me.id, mutedId: idOf('muted'), createdAt: at },
        { muterId: idOf('muter'), mutedId: me.id, createdAt: at },
      ])
      const ends = { reason: 'other', requestedAt: at, dueAt: at, undoHash: 'x' }
      await world.deps.db.insert(deletions).values({ userId: idOf('leaving'), ...ends })
      await world.deps.db
        .update(users)
        .set({ suspendedAt: at })
        .where(eq(users.id, idOf('suspended')))
      await world.deps.db
        .update(users)
        .set({ deletedAt: at })
        .where(eq(users.id, idOf('gone')))
      return () => world.close()
    })

    const idOf = (name: string) => others[name]?.id ?? ''
    /** Names of the others whom a condition excludes. */
    const excludedBy = async (condition: ReturnType<typeof notBlocked>) => {
      const ids = Object.values(others).map((it) => it.id)
      const rows = await world.deps.db
        .select({ id: users.id })
        .from(users)
        .where(and(inArray(users.id, ids), condition))
      const left = new Set(rows.map((row) => row.id))
      return Object.keys(others).filter((name) => !left.has(idOf(name)))
    }

    test('a block excludes each of the two for the other, and excludes neither for a third person', async () => {
      expect(await excludedBy(notBlocked(me.id, users.id))).toEqual(['blocked', 'blocker'])
      expect(await excludedBy(notBlocked(idOf('friend'), users.id))).toEqual([])
    })

    test('a mute excludes the muted person for the muter, and not the muter for the muted person', async () => {
      expect(await excludedBy(notMuted(me.id, users.id))).toEqual(['muted'])
    })

    test('a leaving, suspended or deleted account is not present', async () => {
      expect(await excludedBy(isPresent(users.id))).toEqual(['leaving', 'suspended', 'gone'])
    })

    test('for a visitor there is no condition of blocks and mutes', async () => {
      expect([notBlocked(undefined, users.id), notMuted(undefined, users.id)]).toEqual([undefined, undefined])
    })

    test('blocks and mutes are looked up by an index', async () => {
      const plan = await world.deps.db.transaction(async (tx) => {
        await tx.execute(sql`set local enable_seqscan = off`)
        const query = tx
          .select({ id: users.id })
          .from(users)
          .where(and(notBlocked(me.id, users.id), notMuted(me.id, users.id)))
        const { rows } = (await tx.execute(sql`explain ${query}`)) as {
          rows: Record<string, string>[]
        }
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).not.toContain('Seq Scan on blocks')
      expect(plan).not.toContain('Seq Scan on mutes')
      expect(plan).toContain('Index')
      expect(plan).toMatch(/ (?:blocks_blocker_id_blocked_id_pk|blocks_newest|blocks_blocked)/)
    })
  })
})
