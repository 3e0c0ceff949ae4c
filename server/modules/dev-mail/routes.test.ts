// /dev/mail: emails of a server without a relay, newest first, in a sandboxed frame.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import type { Email } from '#server/rules/email.ts'
import { renderEmail } from '#server/rules/emails/render.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const get = (url: string) => world.app.inject({ method: 'GET', url })

async function sendMail(name: string, email: Email): Promise<string> {
  const id = newId()
  const to = { email: 'hanako@example.com', name }
  await world.deps.mailer.send({ id, to, ...renderEmail(email, name, 'http://localhost:8787') })
  world.clock.now += 1000
  return id
}

test('the list of an empty folder states that there are no emails', async () => {
  expect((await get('/dev/mail')).body).toContain('まだ届いたメールはありません')
})

test('emails are listed newest first, and only the user of the server can read their files', async () => {
  await sendMail('花子', { is: 'reset_code', mailUrl: 'https://todoke.example/m', code: '111111' })
  const id = await sendMail('花子', {
    is: 'confirm_registration',
    url: 'http://localhost:8787/confirmed#token=abc',
  })
  const { body, headers } = await get('/dev/mail')
  expect([...body.matchAll(/<strong>([^<]+)</g)].map((it) => it[1])).toEqual([
    '登録を完了してください｜とどけ',
    'パスワード再設定のコード｜とどけ',
  ])
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  const email = (await get(`/dev/mail/${id}`)).body
  expect(email).toContain('<a href="http://localhost:8787/confirmed#token=abc">')
  expect(email).toContain(`<iframe src="/dev/mail/${id}/html"`)
  const folder = path.join(storedAt(world, 'uploads'), '..', 'mail')
  const files = await readdir(folder)
  expect(files).toHaveLength(2)
  expect((await stat(path.join(folder, defined(files[0])))).mode & 0o777).toBe(0o600)
})

test('the page escapes names and shows the email in a frame without scripts', async () => {
  const id = await sendMail('<script>alert(1)</script>', { is: 'deleted' })
  const [page, frame] = [await get(`/dev/mail/${id}`), await get(`/dev/mail/${id}/html`)]
  expect(page.body + frame.body).not.toContain('<script')
  const policy = String(frame.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('sandbox')
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin/)
  expect(frame.headers['x-frame-options']).toBeUndefined()
  expect((await get('/dev/mail')).headers['x-frame-options']).toBe('DENY')
})

test.each([newId(), '..%2f..%2fsecret.key', 'style'])('an email with the id %s is not found', async (id) => {
  for (const rest of ['', '/html']) expect((await get(`/dev/mail/${id}${rest}`)).statusCode).toBe(404)
})

test('a server with a relay has no such page', async () => {
  const mailer = { send: async () => ({ is: 'sent' as const }), close: () => undefined }
  const other = await openWorld({ parts: { mailer } })
  const reply = await other.app.inject({ method: 'GET', url: '/dev/mail' })
  // The route of the app shell replies, as for every page of the app; in this test the shell is not built.
  expect([reply.statusCode, reply.body]).toEqual([
    503,
    expect.stringContaining('アプリがまだ作られていません'),
  ])
  await other.close()
})
