// Shares on the device: for their person, a week at most, and three at most.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { purgePerson } from '#device/session/purge.ts'
import { saveSession } from '#device/session/session.ts'
import { dropShared, storeShared, readShared } from './shared.ts'

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

const DAY = 24 * 3600 * 1000
const [aoi, ren] = [newId(), newId()]
const user = (id: string) => ({
  id,
  email: 'a@example.com',
  name: '葵',
  role: 'member' as const,
  avatar_url: null,
})
const share = (text: string, at = 0) => storeShared({ text, files: [new File(['abc'], 'a.jpg')] }, at)
const textOf = async (id: string, owner = aoi) => (await readShared(id, owner))?.text

test('content shared during a session belongs to its person', async () => {
  await saveSession({ token: 't', user: user(aoi) })
  const id = await share('海')
  const stored = await readShared(id, aoi)
  expect([stored?.text, stored?.files.map((it) => [it.name, it.size])]).toEqual(['海', [['a.jpg', 3]]])
  expect(await textOf(id, ren)).toBeUndefined()
})

test('content shared without a session belongs to the next person who signs in', async () => {
  expect(await textOf(await share('海'), ren)).toBe('海')
})

test('a share is deleted once its draft has its content', async () => {
  const id = await share('海')
  await dropShared(id)
  expect(await textOf(id)).toBeUndefined()
})

test('at most three shares are stored, the newest ones, and none longer than a week', async () => {
  const ids: string[] = []
  for (const n of [1, 2, 3, 4]) ids.push(await share(`${n}`, n))
  const left = async () => (await Promise.all(ids.map((id) => textOf(id)))).filter((it) => it !== undefined)
  expect(await left()).toEqual(['2', '3', '4'])
  ids.push(await share('5', 3 + 7 * DAY))
  expect(await left()).toEqual(['4', '5'])
})

test('a sign-out deletes shares, including those from before the sign-in', async () => {
  const before = await share('前')
  await saveSession({ token: 't', user: user(aoi) })
  const after = await share('後')
  await purgePerson(user(aoi))
  expect([await textOf(before), await textOf(after)]).toEqual([undefined, undefined])
})
