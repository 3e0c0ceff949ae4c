// The database refuses changed, deleted and unbalanced entries of the ledger.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { addChargeOnce } from './charges.ts'
import { addEntryOnce, balances, hasEntry } from './ledger.ts'
import { addPayment } from './payments.ts'

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: { code?: string; cause?: { code?: string } }) => (error.cause ?? error).code ?? String(error),
  )

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the ledger', () => {
    let world: World
    let creator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await signUp(world)
    })
    afterAll(() => world.close())

    async function charge(): Promise<string> {
      const { db } = world.deps
      const [id, paymentId, now] = [newId(), newId(), new Date(world.clock.now)]
      const buyer = await signUp(world)
      await addPayment(db, {
        id: paymentId,
        userId: buyer.id,
        creatorId: creator.id,
        kind: 'post',
        amount: 500,
        feeRate: 1000,
        state: 'pending',
        sessionId: 's',
        authId: 'a',
        createdAt: now,
        expiresAt: now,
      })
      const chargeRef = newId()
      await addChargeOnce(db, {
        id,
        provider: 'test',
        chargeRef,
        paymentId,
        amount: 500,
        isSurplus: false,
        surplusReason: null,
        fileDigest: null,
        chargedAt: now,
      })
      return id
    }

    const line = (account: string, amount: number) => ({ account, amount, creatorId: null })
    const pair = [line('bank', 500), line('refunds', -500)]
    const add = (chargeId: string, lines: ReturnType<typeof line>[]) =>
      world.deps.transaction(({ tx }) =>
        addEntryOnce(tx, { cause: 'sale', chargeId, creatorId: creator.id, lines }, world.clock.now),
      )
    const run = (text: string) => world.database.executeSql(text)

    test('an entry is added once for each cause and charge, and its lines add up to zero', async () => {
      const chargeId = await charge()
      expect([await add(chargeId, pair), await add(chargeId, pair)]).toEqual([true, false])
      expect(await hasEntry(world.deps.db, 'sale', chargeId)).toBe(true)
      expect(await hasEntry(world.deps.db, 'refund', chargeId)).toBe(false)
      const sums = await balances(world.deps.db)
      expect([...sums.values()].reduce((sum, it) => sum + it, 0)).toBe(0)
      expect(sums.get('bank')).toBe(500)
    })

    test.each([
      ['lines that do not add up to zero', [line('bank', 500), line('refunds', -499)]],
      ['one line', [line('bank', 500)]],
      ['a line of zero yen', [line('bank', 0), line('refunds', 0)]],
    ])('an entry with %s is refused at the commit', async (_, lines) => {
      const chargeId = await charge()
      expect(await codeOf(add(chargeId, lines))).toBe('23514')
      expect(await hasEntry(world.deps.db, 'sale', chargeId)).toBe(false)
    })

    test('an entry without lines is refused, and so is a later line that unbalances an entry', async () => {
      const chargeId = await charge()
      await add(chargeId, pair)
      const other = await charge()
      const empty = `insert into ledger_entries (id, at, cause, charge_id) values ('${newId()}', now(), 'sale', '${other}')`
      expect(await codeOf(run(empty))).toBe('23514')
      const later = `insert into ledger_lines (id, entry_id, account, amount)
        select '${newId()}', id, 'bank', 1 from ledger_entries where charge_id = '${chargeId}'`
      expect(await codeOf(run(later))).toBe('23514')
    })

    test.each([
      'update ledger_entries set cause = cause',
      'update ledger_lines set amount = amount + 1',
      'delete from ledger_lines',
      'delete from ledger_entries',
      'truncate ledger_lines',
      'truncate ledger_entries cascade',
    ])('the database refuses "%s"', async (statement) => {
      await add(await charge(), pair)
      const before = await balances(world.deps.db)
      expect(await codeOf(run(statement))).toBe('23001')
      expect(await balances(world.deps.db)).toEqual(before)
    })
  })
})
