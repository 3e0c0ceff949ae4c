// A failure of one row stops no other one, and names its id without values.
import { expect, test } from 'vitest'
import { createFailures } from './failures.ts'

class QueryError extends Error {
  override readonly name = 'QueryError'
  override readonly cause = { code: '23505' }
}

test('the others are done, and the failures are reported at the end without the values of their messages', async () => {
  const failures = createFailures('payout of')
  const done: string[] = []
  const of = async (id: string) => {
    if (id === 'b') throw new QueryError('Failed query: insert\nparams: akari@example.com')
    done.push(id)
  }
  const outcomes: boolean[] = []
  for (const id of ['a', 'b', 'c']) outcomes.push(await failures.attempt(id, () => of(id)))
  expect([done, outcomes]).toEqual([
    ['a', 'c'],
    [true, false, true],
  ])
  let thrown: unknown
  try {
    failures.report()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(AggregateError)
  const { message, errors } = thrown as AggregateError & { errors: Error[] }
  expect(message).toBe('1 failed: payout of')
  expect(errors.map((it) => it.message)).toEqual(['payout of b: QueryError 23505'])
  expect(errors[0]?.stack).toContain('failures.test.ts')
  expect(errors[0]?.stack).not.toContain('akari')
})

test('nothing is reported when nothing failed', async () => {
  const failures = createFailures('payout of')
  await failures.attempt('a', async () => undefined)
  expect(() => failures.report()).not.toThrow()
})
