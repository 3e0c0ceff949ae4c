// Stored JSON about the provider's numbers is read also as versions before wrote it.
import { expect, test } from 'vitest'
import { readDetails, readStop, storedDetails } from './stored-refs.ts'

test('details of a task keep their first keys in the table', () => {
  const details = {
    chargeRef: 'c-1',
    recurringRef: 'r-1',
    amount: 500,
    why: 'amount',
    refund: 'f',
    notice: 'n',
  }
  const stored = { gid: 'c-1', acid: 'r-1', amount: 500, why: 'amount', refund: 'f', notice: 'n' }
  expect(storedDetails(details)).toEqual(stored)
  expect(readDetails(stored)).toEqual(details)
  expect([storedDetails({}), readDetails({})]).toEqual([{}, {}])
})

test('a reason of a version before is read as that of this one', () => {
  expect(readDetails({ gid: '', why: 'refused:acid' })).toEqual({ chargeRef: '', why: 'refused:recurring' })
})

test('a stop that a version before enqueued is for the configured provider', () => {
  expect(readStop({ acid: 'r-1' }, 'sandbox')).toEqual({ provider: 'sandbox', recurringRef: 'r-1' })
  const stop = { provider: 'link-form', recurringRef: 'r-1' }
  expect(readStop(stop, 'sandbox')).toEqual(stop)
})
