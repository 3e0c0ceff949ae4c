// The table of doors has every endpoint of staff that writes about money.
import { expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { moneyDoors, secondedDoors } from './money-doors.ts'

test('each endpoint of staff that writes about money is a door, and no other one', () => {
  const writing = Object.values(endpoints).filter(
    ({ audience, method }) => audience === 'staff:money' && method !== 'GET',
  )
  expect(Object.keys(moneyDoors).toSorted()).toEqual(writing.map((it) => it.name).toSorted())
})

test('each door says that it demands a proven password', () => {
  const errors = Object.values(endpoints).flatMap((it) =>
    it.name in moneyDoors
      ? [[it.name, (it.errors as readonly string[]).includes('validation_required')]]
      : [],
  )
  expect(errors.filter(([, isSaid]) => !isSaid)).toEqual([])
})

test('each door that books money shows it first, and needs a second person or says why not', () => {
  const doors = Object.entries(moneyDoors)
  expect(doors.filter(([, it]) => it.second === 'amount' && it.preview !== 'rolled_back')).toEqual([])
  expect(secondedDoors).toEqual([
    'refundByAdmin',
    'decideDispute',
    'addComplimentary',
    'addSettlement',
    'closeOperatorTask',
    'reconcileByAdmin',
    'recordBankFee',
    'clearBalance',
  ])
})
