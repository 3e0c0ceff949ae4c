// Jobs of processes that end or lose PostgreSQL in the middle run again soon.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Relay, startRelay } from './testing/clients/mail-relay.ts'
import { openTcpProxy, type TcpProxy } from './testing/clients/tcp-proxy.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { startPrimary } from './testing/replication/replica.ts'
import { openWorld, type World } from './testing/world.ts'

/** A port where nothing listens. */
const NOWHERE = 1
const LONG = 240_000

describe.skipIf(!postgresAvailable())('a job that sends an email', { timeout: LONG }, () => {
  let primary: PostgresServer
  let proxy: TcpProxy
  let world: World
  let relay: Relay
  let held = Promise.withResolvers<void>()
  const servers: Running[] = []
  beforeAll(async () => {
    primary = await startPrimary()
    proxy = await openTcpProxy(primary.port)
    world = await openWorld({ at: { url: primary.url } })
  }, LONG)
  afterAll(async () => {
    await world.close()
    await proxy.close()
    await primary.remove()
  })
  beforeEach(async () => {
    held = Promise.withResolvers<void>()
    relay = await startRelay({ waits: () => held.promise })
    await world.database.executeSql('delete from pgboss.job')
  })
  afterEach(async () => {
    held.resolve()
    for (const it of servers.splice(0)) await it.end('SIGKILL')
    await relay.stop()
  })

  async function start(leaseSeconds: number): Promise<Running> {
    const server = await startServer({
      DATA_DIR: world.dataDir,
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
      SMTP_URL: relay.url,
      MAIL_FROM: 'とどけ <hello@todoke.example>',
      JOB_LEASE_SECONDS: String(leaseSeconds),
    })
    servers.push(server)
    return server
  }
  const sendEmail = () =>
    world.deps.transaction(({ email }) =>
      email({ email: 'a@example.com', name: '花' }, { is: 'password_changed', at: Date.now() }),
    )
  const job = async () => {
    const { rows } = await world.database.executeSql(
      `select state::text, retry_count as retries from pgboss.job where name = 'letter.send'`,
    )
    return rows[0]
  }
  const isReceived = async (times: number) => {
    await expect.poll(() => relay.received.length).toBe(times)
  }
  /** Recipients recognise an email that was sent twice by its message id. */
  const messageIds = () => new Set(relay.received.map((it) => it.messageId)).size

  test('runs again in another process soon after the first one was killed', async () => {
    const first = await start(3)
    await sendEmail()
    await isReceived(1)
    await first.end('SIGKILL')
    expect(await job()).toEqual({ state: 'active', retries: 0 })
    const second = await start(3)
    await isReceived(2)
    held.resolve()
    await expect.poll(job).toEqual({ state: 'completed', retries: 1 })
    expect(second.output()).toContain('the worker of a job (letter.send) ended before it: the job runs again')
    expect(messageIds()).toBe(1)
  })

  test('is given back by a process that is told to stop, long before its lease ends', async () => {
    const first = await start(600)
    await sendEmail()
    await isReceived(1)
    expect(await first.end('SIGTERM')).toBe(0)
    expect(await job()).toEqual({ state: 'retry', retries: 0 })
    await start(600)
    await isReceived(2)
    held.resolve()
    await expect.poll(job).toEqual({ state: 'completed', retries: 0 })
    expect(messageIds()).toBe(1)
  })

  test('ends, although PostgreSQL was away when it should have been reported', async () => {
    const server = await start(600)
    await sendEmail()
    await isReceived(1)
    proxy.leadTo(NOWHERE)
    held.resolve()
    await expect.poll(() => server.output()).toMatch(/a job failed/)
    expect(await job()).toEqual({ state: 'active', retries: 0 })
    proxy.leadTo(primary.port)
    await expect.poll(job).toEqual({ state: 'completed', retries: 1 })
    expect(messageIds()).toBe(1)
  })
})
