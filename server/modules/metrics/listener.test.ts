// The listener for scrapes has only metrics, and ends with the app.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anotherApp, METRICS_TOKEN, openScraped } from '#server/testing/scrape.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { listenForScrapes, MetricsPortInUse } from './listener.ts'

const host = '127.0.0.1'
let world: World
beforeEach(async () => {
  world = await openScraped({ settings: { metricsToken: '' } })
})
afterEach(() => world.close())

test('replies with the metrics, and with 404 for all else, until the app closes', async () => {
  const app = await anotherApp(world.deps)
  const port = await listenForScrapes(app, world.deps, { port: 0, host })
  const at = `http://${host}:${port}`
  const scraped = await fetch(`${at}/metrics`)
  expect([scraped.status, await scraped.text()]).toEqual([
    200,
    expect.stringContaining('todoke_database_read_success 1'),
  ])
  expect((await fetch(`${at}/api/health`)).status).toBe(404)
  expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(404)
  await app.close()
  await expect(fetch(`${at}/metrics`)).rejects.toThrow('fetch failed')
})

test('requires the token where one is set', async () => {
  const deps = { ...world.deps, settings: { ...world.deps.settings, metricsToken: METRICS_TOKEN } }
  const app = await anotherApp(deps)
  const port = await listenForScrapes(app, deps, { port: 0, host })
  const ask = (headers: Record<string, string>) => fetch(`http://${host}:${port}/metrics`, { headers })
  const given = await ask({ authorization: `Bearer ${METRICS_TOKEN}` })
  expect([(await ask({})).status, given.status]).toEqual([401, 200])
  await app.close()
})

test('does not listen without a port, nor where nothing is counted', async () => {
  const without = await openWorld()
  const app = await anotherApp(without.deps)
  expect(await listenForScrapes(app, world.deps, { port: undefined, host })).toBeUndefined()
  expect(await listenForScrapes(app, without.deps, { port: 0, host })).toBeUndefined()
  await app.close()
  await without.close()
})

test('a used port is named to the operator', async () => {
  const other = createServer().listen(0, host)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const app = await anotherApp(world.deps)
  const listening = listenForScrapes(app, world.deps, { port, host })
  await expect(listening).rejects.toThrow(MetricsPortInUse)
  await expect(listening).rejects.toThrow(`ポート ${port} を開けません`)
  other.close()
  await app.close()
})
