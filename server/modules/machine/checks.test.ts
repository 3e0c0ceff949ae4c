// Checks of the machine page, and the texts of their errors.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Check, CheckName } from '#contract/administration/machine.ts'
import { defined } from '#contract/testing/defined.ts'
import { causeOf, cleanText, detailOf } from './cause.ts'
import { CHECK_TIME, type CheckWork, createChecks, FRESH } from './checks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const right: CheckWork = async () => undefined
const works = (changed: Partial<Record<CheckName, CheckWork>>): Record<CheckName, CheckWork> => ({
  database: right,
  store: right,
  redis: right,
  mail: right,
  push: right,
  payments: right,
  sandbox: right,
  ...changed,
})
const named = (checks: readonly Check[], name: CheckName) => checks.find((it) => it.name === name)

test('a flood of callers causes one run in ten seconds', async () => {
  let runs = 0
  const checks = createChecks({ works: works({ mail: async () => void (runs += 1) }), clock: Date.now })
  await Promise.all(Array.from({ length: 200 }, checks))
  vi.advanceTimersByTime(FRESH - 1)
  await checks()
  expect(runs).toBe(1)
  vi.advanceTimersByTime(1)
  await Promise.all([checks(), checks()])
  expect(runs).toBe(2)
})

test('a check that hangs ends by its time, does not delay others, and is not begun again meanwhile', async () => {
  let begun = 0
  const hanging = () => new Promise<void>(() => void (begun += 1))
  const checks = createChecks({ works: works({ store: hanging }), clock: Date.now })
  const first = checks()
  await vi.advanceTimersByTimeAsync(CHECK_TIME)
  expect(named(await first, 'store')).toMatchObject({ state: 'failing', reason: 'late' })
  expect(named(await first, 'database')).toMatchObject({ state: 'ok', reason: null })
  vi.advanceTimersByTime(FRESH)
  expect(named(await checks(), 'store')).toMatchObject({ state: 'failing', reason: 'late' })
  expect(begun).toBe(1)
})

test('a state has the moment since when it is so', async () => {
  let isUp = true
  const mail: CheckWork = async () => {
    if (!isUp) throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), { code: 'ECONNREFUSED' })
  }
  const checks = createChecks({ works: works({ mail }), clock: Date.now })
  const begin = Date.now()
  await checks()
  vi.advanceTimersByTime(FRESH)
  const later = named(await checks(), 'mail')
  expect([later?.state, Date.parse(defined(later?.since))]).toEqual(['ok', begin])
  isUp = false
  vi.advanceTimersByTime(FRESH)
  const failed = named(await checks(), 'mail')
  expect(failed).toMatchObject({
    state: 'failing',
    reason: 'unreachable',
    detail: 'connect ECONNREFUSED 127.0.0.1:25',
  })
  expect(Date.parse(defined(failed?.since))).toBe(begin + FRESH * 2)
})

test('a check that takes long is slow, unless it only reads what is known', async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const mail: CheckWork = () => over
  const push: CheckWork = async () => {
    await over
    return { state: 'ok', reason: null, reads: true }
  }
  const running = createChecks({ works: works({ mail, push }), clock: Date.now })()
  await vi.advanceTimersByTimeAsync(600)
  end()
  expect(named(await running, 'mail')).toMatchObject({ state: 'slow', reason: 'slow', ms: 600 })
  expect(named(await running, 'push')).toMatchObject({ state: 'ok', ms: null })
})

test('the text of an error shows no credentials, no token and no address of a person', () => {
  const token = 'a'.repeat(43)
  const error = new Error(`at smtp://user:secret@mail.example:587 with ${token}\n for hanako@example.com`)
  const detail = detailOf(Object.assign(error, { code: 'EAUTH' }))
  expect(detail).toContain('EAUTH')
  expect(detail).toContain('mail.example:587')
  for (const it of ['secret', token, 'hanako@', '\n']) expect(detail).not.toContain(it)
  // A host of one word is no host of an email address.
  expect(cleanText('connect redis://:hidden@redis:6379')).toBe('connect redis://***@redis:6379')
  expect(cleanText('x'.repeat(5000)).length).toBe(300)
  expect(causeOf(Object.assign(new Error('x'), { code: 'EAUTH' }))).toBe('refused')
})

test('cleaning the longest text takes no longer than its length', () => {
  for (const it of ['://', '"', '\\', 'a@', ' '])
    expect(cleanText(it.repeat(100_000)).length).toBeLessThan(301)
})
