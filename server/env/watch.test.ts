// Environment variables of metrics and overload, with a sentence for each invalid one.
import { expect, test } from 'vitest'
import { noMetrics } from '#server/adapters/metrics/metrics.ts'
import { EnvError, readEnv } from './env.ts'
import { openMetrics } from './watch.ts'

const sentencesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return error instanceof EnvError ? error.sentences : [`unexpected ${String(error)}`]
  }
}

test('requests are refused when the event loop is half a second late, unless configured otherwise', () => {
  expect(readEnv({}).OVERLOAD_DELAY_MS).toBe(500)
  expect(readEnv({ OVERLOAD_DELAY_MS: '0' }).OVERLOAD_DELAY_MS).toBe(0)
})

test('metrics are off by default, and on with a port or a token', async () => {
  const token = 'x'.repeat(32)
  expect(await openMetrics(readEnv({}))).toBe(noMetrics)
  expect((await openMetrics(readEnv({ METRICS_PORT: '9464' }))).exposition).toBeDefined()
  expect((await openMetrics(readEnv({ METRICS_TOKEN: token }))).exposition).toBeDefined()
})

test.each([
  ['METRICS_PORT', '0'],
  ['METRICS_PORT', '65536'],
  ['METRICS_PORT', '8787'],
  ['OVERLOAD_DELAY_MS', '60001'],
  ['OVERLOAD_DELAY_MS', 'soon'],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'with spaces and more than thirty-two characters'],
])('%s refuses %s', (name, value) => {
  expect(sentencesOf({ [name]: value })).toEqual([expect.stringContaining(` ${name} `)])
})
