// The form rules over HTTP, by the same table as in the browser.
import Fastify, { type FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'
import { aliens, labelOf } from '#contract/testing/rule-case.ts'
import { ruleCases } from '#contract/testing/rule-cases.ts'
import { shownIn } from '#contract/testing/test-name.ts'
import { handleErrors } from './errors.ts'
import { call, errorOf } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { route } from './route.ts'

const pathOf = (n: number) => `/rules/${n}`

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  handleErrors(app)
  for (const [n, it] of ruleCases.entries()) {
    const { schema } = it
    const ofRule = endpoint({
      name: labelOf(it),
      method: 'POST',
      path: pathOf(n),
      audience: 'open',
      summary: labelOf(it),
      body: schema,
      reply: v.object({ parsed: v.unknown() }),
      errors: [],
    })
    route(app, ofRule, async ({ body }) => ({ parsed: body['value'] }))
  }
  await app.ready()
})
afterAll(() => app.close())

const send = (n: number, payload: unknown) =>
  app.inject({ method: 'POST', url: API_BASE + pathOf(n), payload: payload as object })

for (const [n, it] of ruleCases.entries()) {
  const { beside, good, bad } = it
  describe(`${labelOf(it)}, sent to the server`, () => {
    test.each(good.map((row) => [shownIn(row[0]), ...row] as const))(
      'accepts %s',
      async (_, typed, parsed = typed) => {
        const reply = await send(n, { ...beside, value: typed })
        expect([reply.statusCode, reply.json()]).toEqual([200, { parsed }])
      },
    )
    test.each(bad.map((row) => [shownIn(row[0]), row[1], row[0]] as const))(
      'refuses %s: %s',
      async (_, code, typed) => {
        const reply = await send(n, { ...beside, value: typed })
        expect([reply.statusCode, reply.json()]).toEqual([
          422,
          { error: { code: 'invalid', fields: { value: code } } },
        ])
      },
    )
    test.each(aliens)('refuses %j, which is not a text: %s', async (value, code) => {
      const reply = await send(n, { ...beside, value })
      expect([reply.statusCode, reply.json().error.fields]).toEqual([422, { value: code }])
    })
  })
}

describe('the rules of a registration', () => {
  const registration = {
    email: 'hanako@example.com',
    password: 'todoke-1234',
    name: '花子',
    birth_date: '1990-01-01',
    terms: true,
  }
  const fields = { email: 'email', password: 'password', name: 'name', birth_date: 'confirmOld' }
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  test.each(Object.entries(fields))('%s follows the rule “%s”', async (name, rule) => {
    const cases = ruleCases.find((it) => it.rule === rule)
    for (const [typed] of cases?.good ?? []) {
      const reply = await call(world, null, 'POST', '/auth/sign-up', { ...registration, [name]: typed })
      expect([typed, reply.statusCode]).not.toEqual([typed, 422])
    }
    for (const [typed, code] of cases?.bad ?? []) {
      const reply = await call(world, null, 'POST', '/auth/sign-up', { ...registration, [name]: typed })
      expect([typed, errorOf(reply)]).toEqual([typed, { code: 'invalid', fields: { [name]: code } }])
    }
  })
})
