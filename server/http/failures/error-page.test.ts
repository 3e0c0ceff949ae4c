// The page of an error of the server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let reader: Member
const logged: string[] = []
beforeAll(async () => {
  const logTo = { write: (line: string) => void logged.push(line) }
  world = await openWorld({ settings: { logLevel: 'error', logTo } })
  reader = await signUp(world)
  await world.database.executeSql('drop table post_plans cascade; drop table posts cascade')
})
afterAll(() => world.close())

const get = (accept: string) =>
  world.app.inject({ method: 'GET', url: '/api/posts', headers: { ...reader.auth, accept } })

test('a browser gets a page with the number of its request, which is in the log', async () => {
  const { statusCode, headers, body } = await get('text/html,application/xhtml+xml,*/*;q=0.8')
  const id = String(headers['x-request-id'])
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    500,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(body).toContain(`お問い合わせの際は、この番号をお伝えください。<br><code>${id}</code>`)
  expect(body).not.toMatch(/posts|relation|select|style|script/i)
  expect(logged.some((line) => line.includes(id) && line.includes('failed'))).toBe(true)
})

test.each(['application/json', '*/*', 'image/avif,image/webp,*/*;q=0.8'])(
  'a request that accepts %s gets the code of the error',
  async (accept) => {
    const { statusCode, headers, body } = await get(accept)
    expect([statusCode, headers['content-type']]).toEqual([500, 'application/json; charset=utf-8'])
    expect(body).toBe('{"error":{"code":"internal"}}')
  },
)
