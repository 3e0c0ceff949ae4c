// Environment variables of traces: off by default, and no library is loaded then.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Collector, openCollector } from '#server/testing/collector.ts'
import { EnvError, readEnv } from './env.ts'
import { openTraces } from './traces.ts'

const sentencesOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return error instanceof EnvError ? error.sentences : [`unexpected ${String(error)}`]
  }
}

let collector: Collector | undefined
afterEach(async () => {
  await collector?.close()
  collector = undefined
})

test('tracing is off by default', async () => {
  expect(await openTraces(readEnv({}), () => undefined)).toBeUndefined()
})

test('spans are sent to the collector of the environment, with its headers and the name of the service', async () => {
  collector = await openCollector()
  const env = readEnv({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-other=1',
    OTEL_SERVICE_NAME: 'todoke-web',
  })
  const traces = await openTraces(env, (why) => expect.unreachable(String(why)))
  await traces?.job('any', {}, async () => undefined)
  await traces?.close()
  expect(collector.spans.map((it) => it.name)).toEqual(['job any'])
  expect(collector.headers()).toMatchObject({ 'x-key': 'a b', 'x-other': '1' })
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'todoke-web' })
})

test.each([
  ['parentbased_always_on', '1', '-01', 1],
  ['parentbased_always_on', '1', '-00', 0],
  ['parentbased_always_off', '1', '-01', 1],
  ['parentbased_traceidratio', '0', '-01', 1],
  ['traceidratio', '0', '-01', 0],
  ['traceidratio', '1.0', '-00', 1],
  ['always_off', '1', '-01', 0],
])('the sampler %s with %s, for a parent with %s, sends %d', async (name, ratio, flags, count) => {
  collector = await openCollector()
  const env = readEnv({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER: name,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  const traces = await openTraces(env, () => undefined)
  traces?.request(`00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7${flags}`).end()
  await traces?.close()
  expect(collector.spans).toHaveLength(count)
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?key=1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zz'],
  ['OTEL_SERVICE_NAME', 'with spaces'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['TRACES_FROM_PROXY', 'yes'],
])('%s refuses %s', (name, value) => {
  expect(sentencesOf({ [name]: value })).toEqual([expect.stringContaining(` ${name} `)])
})

/** Runs code in a process of its own. @returns the packages of OpenTelemetry that it loaded */
const loadedBy = (code: string): string => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { registerHooks } from 'node:module'
       const seen = new Set()
       registerHooks({ resolve(it, context, next) { if (it.startsWith('@opentelemetry/')) seen.add(it); return next(it, context) } })
       ${code}
       console.log([...seen].length)`,
    ],
    { cwd: path.join(import.meta.dirname, '../..'), encoding: 'utf8' },
  )
  return stdout.trim() || stderr
}

test('without a collector no library of traces is loaded', () => {
  const opening = (env: string) => `
    await import('#server/open-deps.ts')
    await import('#server/app.ts')
    const { readEnv } = await import('#server/env/env.ts')
    const { openTraces } = await import('#server/env/traces.ts')
    await openTraces(readEnv(${env}), () => undefined)`
  expect(loadedBy(opening('{}'))).toBe('0')
  expect(Number(loadedBy(opening(`{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }`)))).toBeGreaterThan(
    3,
  )
})
