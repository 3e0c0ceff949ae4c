// The session on the device: its cached responses, and which refusals end it.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { listResponses, saveResponse } from '#device/cache/responses.ts'
import { recordChanges } from '#device/testing/changes.ts'
import { transact } from '#device/database/database.ts'
import { newUser } from '#device/testing/user.ts'
import { clearSession, readSession, saveSession } from './session.ts'
import { readSignedOutIn } from './signed-out.ts'

const [aoi, ren] = [newUser('葵'), newUser('蓮')]
const session = { token: 'aoi', user: aoi }

const changes = recordChanges({ beforeEach, afterEach })

const cache = (ownerId: string) =>
  saveResponse({ ownerId, key: `["listPosts",{"a":"${newId()}"}]`, value: { posts: [] }, at: Date.now() })
const cached = async (ownerId: string) => (await listResponses(ownerId)).length
const left = () => transact(['settings'], 'readonly', (tx) => readSignedOutIn(tx))

test('a new token of the same person retains the cached responses and is announced', async () => {
  await saveSession(session)
  await cache(aoi.id)
  await saveSession({ token: 'aoi2', user: aoi })
  expect([await cached(aoi.id), (await readSession())?.token]).toEqual([1, 'aoi2'])
  expect(changes).toEqual([{ store: 'session' }, { store: 'session' }])
})

test('a sign-in of another person removes the cached responses of the one before', async () => {
  await saveSession(session)
  await cache(aoi.id)
  await saveSession({ token: 'ren', user: ren })
  expect(await cached(aoi.id)).toBe(0)
})

test('all cached responses are removed when the set of hidden people has changed', async () => {
  await saveSession({ token: 'aoi', user: { ...aoi, apart: 'one' } })
  await cache(aoi.id)
  await saveSession({ token: 'aoi', user: { ...aoi, apart: 'one' } })
  expect(await cached(aoi.id)).toBe(1)
  await saveSession({ token: 'aoi', user: { ...aoi, apart: 'two' } })
  expect(await cached(aoi.id)).toBe(0)
})

test('a refusal of an older token ends no newer session, and one without a session changes nothing', async () => {
  await clearSession('old')
  await saveSession(session)
  await cache(aoi.id)
  changes.length = 0
  await clearSession('old')
  expect([(await readSession())?.token, await cached(aoi.id), changes]).toEqual(['aoi', 1, []])
  expect(await left()).toEqual({})
})

test('a refusal of the stored token ends the session, removes all cached responses, and records the person', async () => {
  await saveSession(session)
  await cache(aoi.id)
  changes.length = 0
  await clearSession('aoi')
  expect([await readSession(), await cached(aoi.id), changes]).toEqual([undefined, 0, [{ store: 'session' }]])
  expect(await left()).toEqual({ [aoi.id]: { name: '葵', chose: false } })
})

test('a closed account is recorded as closed until its person signs in again', async () => {
  await saveSession(session)
  await clearSession(undefined, 'suspended')
  expect(await left()).toEqual({ [aoi.id]: { name: '葵', chose: false, closed: 'suspended' } })
  await saveSession({ token: 'ren', user: ren })
  expect(Object.keys(await left())).toEqual([aoi.id])
  await saveSession(session)
  expect(await left()).toEqual({})
})

test('ending a missing session records no person', async () => {
  await clearSession()
  expect([await left(), changes]).toEqual([{}, [{ store: 'session' }]])
})
