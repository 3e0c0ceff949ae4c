// Each door of staff about money needs a password that was proven lately.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moneyDoors } from '#contract/administration/money-doors.ts'
import { endpoints } from '#contract/api.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { call, errorOf } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('without a password that was proven lately', () => {
  /** Bodies that a door accepts. */
  const reason = 'ご案内の誤りのため'
  const one = { preview: false, id: newId(), reason }
  const bodies: Record<keyof typeof moneyDoors, object | undefined> = {
    refundByAdmin: { ...one, amount: 1, left: 1 },
    disputeByAdmin: { ...one, fee: 0, left: 1 },
    decideDispute: { outcome: 'won', preview: false },
    addFeeRate: { ...one, first_day: '2030-01-01', rate: 0 },
    addComplimentary: { ...one, plan_id: newId(), member: newId(), ends_on: '2030-01-01', paid: 0 },
    endComplimentary: {},
    addSettlement: {
      id: newId(),
      day: '2030-01-01',
      received: 1,
      fee: 0,
      reference: '',
      latest: null,
      preview: false,
    },
    reverseSettlement: { reason, preview: false },
    closeOperatorTask: {},
    reconcileByAdmin: { text: 'x' },
    approvePayouts: { ids: [newId()] },
    decidePayout: { is: 'release' },
    exportPayouts: { id: newId(), day: '2030-01-01', latest: null },
    voidPayoutExport: { reason, not_executed: true },
    recordBankFee: { id: newId(), fee: 1, replaces: null, preview: false },
    importPayoutResults: { file: 'eA==' },
    settlePayout: { is: 'paid' },
    readPayeeContact: undefined,
    requestLastPayout: undefined,
    clearBalance: { id: newId(), is: 'borne', amount: 1, total: 1, reason },
  }
  test.each(Object.keys(moneyDoors) as (keyof typeof moneyDoors)[])('%s is refused', async (name) => {
    const stale = await operator(world)
    await rowsOf(world, 'update sessions set validated_at = null where user_id = $1', [stale.id])
    const { method, path } = defined(Object.values(endpoints).find((it) => it.name === name))
    const reply = await call(world, stale, method, path.replaceAll(/:\w+/g, newId()), bodies[name])
    expect(errorOf(reply).code).toBe('validation_required')
    await rowsOf(world, "update users set role = 'member' where id = $1", [stale.id])
  })
})
