// The form rules over HTTP, by the same table as in the browser.
import Fastify, { type FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'
import { type Cell, differing } from '#contract/testing/cells.ts'
import { aliens, labelOf } from '#contract/testing/rule-case.ts'
import { ruleCases } from '#contract/testing/rule-cases.ts'
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

/**
 * Sends values to a rule.
 * @param rows values, and the expected status and body of their replies
 * @returns a sentence for each value with another reply
 */
async function wrong(n: number, rows: readonly (readonly [sent: unknown, ...expected: unknown[]])[]) {
  const cells: Cell[] = []
  for (const [of, ...expected] of rows) {
    const payload = { ...ruleCases[n]?.beside, value: of }
    const reply = await app.inject({ method: 'POST', url: API_BASE + pathOf(n), payload })
    cells.push({ of, expected, found: [reply.statusCode, reply.json()] })
  }
  return differing(cells)
}

const refusal = (code: string) => [422, { error: { code: 'invalid', fields: { value: code } } }] as const

for (const [n, it] of ruleCases.entries())
  describe(`${labelOf(it)}, sent to the server`, () => {
    test('accepts each good value', async () => {
      const rows = it.good.map(([typed, parsed = typed]) => [typed, 200, { parsed }] as const)
      expect(await wrong(n, rows)).toEqual([])
    })
    test('refuses each bad value with its code, and what is no text', async () => {
      const rows = [...it.bad, ...aliens].map(([sent, code]) => [sent, ...refusal(code)] as const)
      expect(await wrong(n, rows)).toEqual([])
    })
  })

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

  /** Fields of the refusal of a registration with one other value. */
  const refused = async (name: string, typed: string) => {
    const reply = await call(world, null, 'POST', '/auth/sign-up', { ...registration, [name]: typed })
    return reply.statusCode === 422 ? errorOf(reply) : undefined
  }

  test.each(Object.entries(fields))('%s follows the rule “%s”', async (name, rule) => {
    const cases = ruleCases.find((it) => it.rule === rule)
    const rows = [
      ...(cases?.good ?? []).map(([of]) => ({ of, expected: undefined })),
      ...(cases?.bad ?? []).map(([of, code]) => ({
        of,
        expected: { code: 'invalid', fields: { [name]: code } },
      })),
    ]
    const cells: Cell[] = []
    for (const it of rows) cells.push({ ...it, found: await refused(name, it.of) })
    expect(cells).not.toEqual([])
    expect(differing(cells)).toEqual([])
  })
})
