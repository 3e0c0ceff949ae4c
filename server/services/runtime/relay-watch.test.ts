// The state of a real mail relay: accepted, refused, gone and back.
import { expect, test } from 'vitest'
import { openMailer } from '#server/adapters/mail/relay.ts'
import { startRelay } from '#server/testing/clients/mail-relay.ts'
import { createRelayWatch, FRESH, type FoundRelay } from './relay-watch.ts'

const user = { name: 'todoke', password: 'relay-password' }

/** A watch of the relay at an address, and a clock that a test advances. */
function watched(url: string) {
  const mailer = openMailer(url, 'hello@todoke.example')
  let now = 0
  let checks = 0
  const watch = createRelayWatch({
    check: async () => {
      checks += 1
      await mailer.check?.()
    },
    clock: () => now,
  })
  const told: FoundRelay[] = []
  watch.onChange((it) => void told.push(it))
  return {
    watch,
    told,
    checks: () => checks,
    later: (ms: number) => void (now += ms),
    end: () => mailer.close(),
  }
}

test('a relay is asked once a minute for any number of callers, and each change is told once', async () => {
  const relay = await startRelay({ user })
  const { watch, told, checks, later, end } = watched(relay.url)
  const states = await Promise.all([watch.find(), watch.find(), watch.find()])
  expect(states.map((it) => it.state)).toEqual(['ok', 'ok', 'ok'])
  later(FRESH - 1)
  await watch.find()
  expect(checks()).toBe(1)
  await relay.stop()
  later(1)
  expect(await watch.find()).toMatchObject({ state: 'unreachable', reason: 'ESOCKET' })
  later(FRESH)
  await watch.find()
  const again = await startRelay({ user, port: relay.port })
  later(FRESH)
  expect(await watch.find()).toMatchObject({ state: 'ok', reason: '' })
  expect(told.map((it) => it.state)).toEqual(['ok', 'unreachable', 'ok'])
  expect(checks()).toBe(4)
  end()
  await again.stop()
})

test('a relay that refuses the password is refused by its codes, without its text', async () => {
  const relay = await startRelay({ user })
  const { watch, end } = watched(relay.url.replace(user.password, 'other'))
  expect(await watch.find()).toMatchObject({ state: 'refused', reason: 'EAUTH 535' })
  end()
  await relay.stop()
})

test('a caller does not wait for a relay that does not reply, and gets the state before', async () => {
  let now = 0
  const results = [Promise.resolve(), new Promise<void>(() => undefined)]
  const watch = createRelayWatch({ check: () => results.shift() ?? Promise.resolve(), clock: () => now })
  expect((await watch.find()).state).toBe('ok')
  now += FRESH
  expect((await watch.find()).state).toBe('ok')
  const hanging = createRelayWatch({ check: () => new Promise(() => undefined), clock: () => now })
  expect((await hanging.find()).state).toBe('unknown')
})
