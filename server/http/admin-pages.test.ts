// Admin pages: served only to admins, 404 for all others, and never cached.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import { admin } from '#server/testing/people/identity.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let dist: string
beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  await writeFile(path.join(dist, 'index.html'), '<html><head><title>とどけ</title></head></html>')
  await writeFile(path.join(dist, 'pages.json'), '["/", "/about", "/administration"]')
  world = await openWorld({ settings: { dist } })
})
afterAll(async () => {
  await world.close()
  await rm(dist, { recursive: true })
})

const open = (url: string, as: Member | null) => {
  const cookie = as && `${AUTH_COOKIE}=${encodeURIComponent(`Bearer ${as.token}`)}`
  return world.app.inject({ method: 'GET', url, headers: cookie ? { cookie } : {} })
}

test('are found by admins, and not by a visitor, a member or an ended session', async () => {
  const [member, desk, gone] = [await signUp(world), await admin(world), await admin(world)]
  await world.database.executeSql('delete from sessions where user_id = $1', [gone.id])
  const statuses = []
  for (const as of [null, member, gone, desk]) statuses.push((await open('/administration', as)).statusCode)
  expect(statuses).toEqual([404, 404, 404, 200])
  expect((await open('/administration', desk)).headers['cache-control']).toBe('private, no-store')
})

test('an admin who lost the role is treated as a member from the next request on', async () => {
  const desk = await admin(world)
  expect((await open('/administration', desk)).statusCode).toBe(200)
  await world.database.executeSql(`update users set role = 'member' where id = $1`, [desk.id])
  expect((await open('/administration', desk)).statusCode).toBe(404)
})

test('other pages are the same for admins and all others', async () => {
  const desk = await admin(world)
  expect((await open('/about', desk)).body).toBe((await open('/about', null)).body)
})
