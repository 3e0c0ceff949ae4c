// Queued emails are sent by a relay, retried when it fails, and never logged.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { defined } from '#contract/testing/defined.ts'
import { RelayFailed, openMailer } from './adapters/mail/relay.ts'
import { removeOldEmails } from './modules/emails/send.ts'
import type { Email } from './rules/email.ts'
import { type Relay, startRelay } from './testing/clients/mail-relay.ts'
import { openWorld, type World } from './testing/world.ts'
import { startWorker } from './worker.ts'

const from = 'とどけ <hello@todoke.example>'
const code: Email = { is: 'reset_code', mailUrl: 'https://todoke.example/m', code: '047159' }

let port: number
let relay: Relay
let world: World
const reported: Error[] = []
const refuses = (address: string) =>
  address.startsWith('unknown') ? 550 : address.startsWith('later') ? 451 : undefined

beforeAll(async () => {
  relay = await startRelay({ refuses })
  port = relay.port
  world = await openWorld({ parts: { mailer: openMailer(relay.url, from) } })
  await startWorker(world.deps, (error) => reported.push(error as Error))
})
beforeEach(async () => {
  relay = await startRelay({ port, refuses })
})
afterEach(async () => {
  await relay.stop()
  reported.length = 0
})
afterAll(async () => {
  await world.close()
})

const enqueue = async (address: string, name = '花子', email: Email = code) => {
  await world.deps.transaction(({ email: send }) => send({ email: address, name }, email))
}
const waiting = async () => (await world.database.executeSql('select id from letters')).rows.length

describe('a relay', () => {
  beforeAll(() => relay.stop())

  test('receives the email unchanged: sender, recipient, Japanese subject, text, HTML and code', async () => {
    await enqueue('hanako@example.com', '花子 "H" <x@y.example>')
    await expect.poll(() => relay.received).toHaveLength(1)
    const [mail] = relay.received
    expect(mail).toMatchObject({
      from: { name: 'とどけ', address: 'hello@todoke.example' },
      to: [{ name: '花子 "H" <x@y.example>', address: 'hanako@example.com' }],
      subject: 'パスワード再設定のコード｜とどけ',
    })
    expect(mail?.messageId).toMatch(/^<[\da-f-]{36}@todoke\.example>$/)
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(/\n {4}(\d{6})\n/.exec(defined(mail?.text))?.[1]).toBe('047159')
    expect(mail?.html).toContain('>047159</p>')
    await expect.poll(() => waiting()).toBe(0)
  })

  test('a name cannot add headers', async () => {
    await enqueue('hanako@example.com', '花子\r\nBcc: many@example.com\r\n\r\nhello')
    await expect.poll(() => relay.received).toHaveLength(1)
    const [mail] = relay.received
    expect(defined(mail).bcc).toBeUndefined()
    expect(mail?.headers.map((it) => it.key)).not.toContain('bcc')
    expect(mail?.to).toHaveLength(1)
  })

  test('that was down receives the email once it is back', async () => {
    await relay.stop()
    await enqueue('taro@example.com')
    const tried = async () => {
      const { rows } = await world.database.executeSql(
        `select output::text from pgboss.job where name = 'letter.send' and state = 'retry'`,
      )
      return (rows as { output: string }[])[0]?.output
    }
    await expect.poll(() => tried()).toContain('did not accept an email')
    expect(await waiting()).toBe(1)
    expect(reported[0]).toBeInstanceOf(RelayFailed)
    relay = await startRelay({ port, refuses })
    await expect.poll(() => relay.received).toHaveLength(1)
    expect(relay.received[0]?.to?.[0]?.address).toBe('taro@example.com')
  }, 60_000)

  test('does not receive a code that has ended while it was down, and receives what has no end', async () => {
    await relay.stop()
    await enqueue('jiro@example.com')
    await enqueue('jiro@example.com', '次郎', { is: 'password_changed', at: world.clock.now })
    await expect.poll(() => reported.length).toBeGreaterThanOrEqual(2)
    world.clock.now += MAIL_CODE_MS
    relay = await startRelay({ port, refuses })
    await world.database.executeSql(`update pgboss.job set start_after = now() where state = 'retry'`)
    await expect.poll(() => waiting()).toBe(0)
    expect(relay.received.map((it) => it.subject)).toEqual(['パスワードが変更されました｜とどけ'])
    expect(reported.map((it) => it.message)).toContain(
      'an email (reset_code) was not sent: its code or link has ended',
    )
  })

  test('that refuses an address permanently is not tried again; the log has kind and status, but no address', async () => {
    await enqueue('unknown@example.com')
    await expect.poll(() => reported).toHaveLength(1)
    expect(reported[0]?.message).toBe('the mail relay refused an email (reset_code) for good: 550')
    await expect.poll(() => waiting()).toBe(0)
  })

  test('that refuses temporarily is tried again; the job table has neither address nor code', async () => {
    await enqueue('later@example.com')
    const rows = async () =>
      JSON.stringify((await world.database.executeSql(`select * from pgboss.job where state = 'retry'`)).rows)
    await expect.poll(() => rows()).toContain('EENVELOPE 451')
    expect(await rows()).not.toMatch(/later@|047159/)
    expect(reported.map((it) => `${it.message} ${it.stack}`).join()).not.toMatch(/later@|047159/)
    expect(await waiting()).toBe(1)
    expect(JSON.stringify((await world.database.executeSql('select * from letters')).rows)).not.toMatch(
      /later@|047159/,
    )
    world.clock.now += 3 * 24 * 3600_000 + 1000
    await removeOldEmails(world.deps)
    expect(await waiting()).toBe(0)
  })
})

test('an email stays queued when the relay refuses the credentials', async () => {
  const strict = await startRelay({ user: { name: 'todoke', password: 'right' } })
  const mail = { id: 'x', to: { email: 'a@example.com', name: '' }, subject: 's', text: 't', html: 'h' }
  const wrong = openMailer(strict.url.replace(':right@', ':wrong@'), from)
  await expect(wrong.send(mail)).rejects.toThrow(RelayFailed)
  wrong.close()
  const right = openMailer(strict.url, from)
  expect(await right.send(mail)).toEqual({ is: 'sent' })
  right.close()
  await strict.stop()
})
