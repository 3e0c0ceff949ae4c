// Without a session, every route except the listed ones is refused.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { newId } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import { errorOf } from './testing/people/members.ts'
import { openRoutes } from './testing/people/visitor-table.ts'
import { openWorld, type World } from './testing/world.ts'

let world: World
const routes = new Set<string>()

function collectRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const it of [method].flat()) if (it !== 'HEAD' && it !== 'OPTIONS') routes.add(`${it} ${url}`)
  })
}

beforeAll(async () => {
  subscribe('fastify.initialization', collectRoutes)
  world = await openWorld()
  unsubscribe('fastify.initialization', collectRoutes)
})
afterAll(() => world.close())

const addressOf = (url: string) => url.replace(/:[a-z_]+/gi, newId()).replace('*', newId())

test('a visitor receives `unauthenticated` from every route that is not listed as open', async () => {
  expect(routes.size).toBeGreaterThan(endpoints.length)
  const otherReplies: string[] = []
  for (const route of routes) {
    if (route in openRoutes) continue
    const [method, url = ''] = route.split(' ')
    const reply = await world.app.inject({ method: method as 'GET', url: addressOf(url) })
    const code = reply.statusCode === 401 ? errorOf(reply)?.code : undefined
    if (code !== 'unauthenticated') otherReplies.push(`${route}: ${reply.statusCode}`)
  }
  expect(otherReplies).toEqual([])
})

test('every route listed as open exists, and is open in the contract', () => {
  expect(Object.keys(openRoutes).filter((it) => !routes.has(it))).toEqual([])
  const declared = endpoints
    .filter((it) => it.audience === 'open')
    .map((it) => `${it.method} ${API_BASE}${it.path}`)
  expect(declared.filter((it) => !(it in openRoutes))).toEqual([])
})
