// The mail relay in health, on the machine page and in a scrape.
import { afterEach, expect, test } from 'vitest'
import type { Check } from '#contract/administration/machine.ts'
import { openMailer } from './adapters/mail/relay.ts'
import { type Relay, startRelay } from './testing/clients/mail-relay.ts'
import { admin, identify } from './testing/people/identity.ts'
import { call } from './testing/people/members.ts'
import { openScraped, scrape } from './testing/scrape.ts'
import type { World } from './testing/world.ts'

let world: World
let relay: Relay | undefined
afterEach(async () => {
  await world.close()
  await relay?.stop()
  relay = undefined
})

/** The part of the health, and that no load balancer sees it. */
async function mailPart(): Promise<unknown> {
  const health = await call(world, null, 'GET', '/health')
  expect([health.statusCode, health.json().status]).toEqual([200, 'ok'])
  expect((await call(world, null, 'GET', '/health/ready')).statusCode).toBe(200)
  return health.json().mail
}

/** Values of the metric: ok, refused, unreachable. */
async function outcomes(): Promise<unknown[]> {
  const { value } = await scrape(world)
  return ['ok', 'refused', 'unreachable'].map((it) => value(`todoke_mail_relay{outcome="${it}"}`))
}

async function machineCheck(): Promise<Check | undefined> {
  const by = await admin(world)
  await identify(world, by)
  const { checks } = (await call(world, by, 'GET', '/admin/machine')).json<{ checks: Check[] }>()
  return checks.find((it) => it.name === 'mail')
}

const openWith = (url: string) => openScraped({ parts: { mailer: openMailer(url, 'hello@todoke.example') } })

test('without a relay it is off, and has no metric', async () => {
  world = await openScraped()
  expect(await mailPart()).toBe('off')
  expect((await scrape(world)).text).not.toContain('todoke_mail_relay{')
})

test('a relay that accepts the server is ok', async () => {
  relay = await startRelay({ user: { name: 'todoke', password: 'relay-password' } })
  world = await openWith(relay.url)
  expect(await mailPart()).toBe('ok')
  expect(await outcomes()).toEqual([1, 0, 0])
})

test('a relay that refuses the password is refused, and the server is healthy', async () => {
  relay = await startRelay({ user: { name: 'todoke', password: 'relay-password' } })
  world = await openWith(relay.url.replace('relay-password', 'other'))
  expect(await mailPart()).toBe('refused')
  expect(await outcomes()).toEqual([0, 1, 0])
  expect(await machineCheck()).toMatchObject({ state: 'failing', reason: 'refused' })
})

test('a relay that is down is unreachable, and the server is healthy', async () => {
  const gone = await startRelay()
  await gone.stop()
  world = await openWith(gone.url)
  expect(await mailPart()).toBe('unreachable')
  expect(await outcomes()).toEqual([0, 0, 1])
  expect(await machineCheck()).toMatchObject({ state: 'failing', reason: 'unreachable' })
})
