// Environment variables of metrics: off by default, and one sentence for each invalid one.
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
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'with spaces and more than thirty-two characters'],
])('%s refuses %s', (name, value) => {
  expect(sentencesOf({ [name]: value })).toEqual([expect.stringContaining(` ${name} `)])
})
