// A server that is killed while people pay has every yen where it belongs.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { API_BASE, SANDBOX_PATH } from '#contract/paths.ts'
import { createRandom, type Random } from '#contract/testing/random.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { type Running, startServer } from './testing/process.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { startPrimary } from './testing/replication/replica.ts'
import { until } from './testing/until.ts'

const KILLS = 10
/** Acts of people between two kills. */
const BETWEEN = { least: 6, most: 30 }
const LONG = 1_200_000
const PASSWORD = 'todoke-demo1'
const CARD = '4111 1111 1111 1111'
const PRICE = 700

/** What a killed server leaves to the next one is over. */
const UNSETTLED = `select (select count(*) from sandbox_notices where sent_at is null)
  + (select count(*) from payment_notices where handled_at is null)
  + (select count(*) from operator_tasks where done_at is null and kind in ('refund', 'refund_surplus', 'stop_charges'))
  + (select count(*) from sandbox_charges s where s.state = 'paid' and not exists (select 1 from charges c where c.gid = s.gid)) as left`

interface Reply {
  readonly status: number
  readonly text: string
}

/** A person at whichever server runs. A request to a killed one has no reply. */
class Person {
  private token = ''
  private readonly server: () => Running
  private readonly name: string

  constructor(server: () => Running, name: string) {
    this.server = server
    this.name = name
  }

  async signIn(): Promise<void> {
    const reply = await this.send('POST', '/auth/sign-in', {
      email: `${this.name}@demo.todoke.example`,
      password: PASSWORD,
    })
    if (reply) this.token = (JSON.parse(reply.text) as { token: string }).token
  }

  async send(method: string, url: string, body?: object | FormData): Promise<Reply | undefined> {
    const isForm = body instanceof FormData
    return this.request(method, API_BASE + url, isForm || !body ? body : JSON.stringify(body), {
      ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...(isForm && { 'idempotency-key': newId() }),
    })
  }

  /** Posts a page of the sandbox, as a browser does. */
  page(url: string, fields: Record<string, string>): Promise<Reply | undefined> {
    return this.request('POST', SANDBOX_PATH + url, new URLSearchParams(fields), {})
  }

  private async request(
    method: string,
    url: string,
    body: string | FormData | URLSearchParams | undefined,
    headers: Record<string, string>,
  ): Promise<Reply | undefined> {
    try {
      const init = { method, headers, redirect: 'manual' as const, ...(body && { body }) }
      const reply = await fetch(this.server().origin + url, init)
      return { status: reply.status, text: await reply.text() }
    } catch {
      return undefined
    }
  }
}

interface Begun {
  readonly start?: { readonly form?: { readonly fields: { name: string; value: string }[] } } | null
}

/** Begins a payment and pays its form, wherever that is cut; what was begun may be paid again later. */
async function pay(person: Person, url: string, body: object): Promise<void> {
  const begun = await person.send('POST', url, body)
  if (begun?.status !== 200) return
  const form = (JSON.parse(begun.text) as Begun).start?.form
  if (!form) return
  const page = await person.page('', Object.fromEntries(form.fields.map((it) => [it.name, it.value])))
  const action = page && /action="\/api\/payment-sandbox(\/[\w-]+)"/.exec(page.text)?.[1]
  if (action !== undefined) await person.page(action, { card: CARD, do: 'pay' })
}

/** What the people of the story know. */
interface Shop {
  readonly random: Random
  readonly creator: Person
  readonly fans: readonly Person[]
  readonly admin: Person
  readonly planId: string
  readonly posts: string[]
  readonly payments: { readonly by: Person; readonly id: string; readonly body: object }[]
  readonly memberships: { readonly by: Person; readonly id: string }[]
}

async function addPost({ creator, posts }: Shop): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ content: '売り物', type: '3', price: String(PRICE) }))
    form.append(name, value)
  const added = await creator.send('POST', '/post/add', form)
  if (added?.status !== 200) return
  const { data } = JSON.parse(added.text) as { data: { item: { id: string } }[] }
  const id = data[0]?.item.id ?? ''
  if ((await creator.send('POST', `/post/release-uploaded/${id}`))?.status === 200) posts.push(id)
}

async function buy(shop: Shop): Promise<void> {
  const { random, payments, posts, fans } = shop
  if (posts.length === 0) return addPost(shop)
  const again = payments.length > 0 && random.chance(0.3) ? random.pick(payments) : undefined
  const it = again ?? {
    by: random.pick(fans),
    id: newId(),
    body: { post_id: random.pick(posts), price: PRICE },
  }
  if (!again) payments.push(it)
  await pay(it.by, '/payments', { payment_id: it.id, ...it.body })
}

async function join({ random, fans, memberships, planId }: Shop): Promise<void> {
  const it = { by: random.pick(fans), id: newId() }
  memberships.push(it)
  await pay(it.by, '/memberships', { payment_id: it.id, plan_id: planId, price: 500 })
}

async function refund({ random, admin, payments, memberships }: Shop): Promise<void> {
  const all = [...payments, ...memberships]
  if (all.length === 0) return
  await admin.send('POST', '/auth/validation', { password: PASSWORD })
  const { id } = random.pick(all)
  const amount = random.between(1, 500)
  const left = random.chance(0.7) ? PRICE : PRICE - amount
  const asked = { id: newId(), amount: Math.min(amount, left), left, reason: '確認', preview: false }
  await admin.send('POST', `/admin/payments/${id}/refund`, asked)
}

async function changeMembership({ random, memberships }: Shop): Promise<void> {
  if (memberships.length === 0) return
  const { by, id } = random.pick(memberships)
  await by.send('POST', `/memberships/${id}/${random.pick(['cancel', 'resume'])}`, {})
}

const acts = [buy, buy, buy, join, refund, changeMembership, addPost]

describe.skipIf(!postgresAvailable())(`a server that is killed ${KILLS} times while people pay`, () => {
  let primary: PostgresServer
  let folder: string
  let server: Running | undefined
  beforeAll(async () => {
    primary = await startPrimary()
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-killed-money-'))
  }, LONG)
  afterEach(() => server?.end('SIGKILL'))
  afterAll(async () => {
    await primary.remove()
    await rm(folder, { recursive: true, force: true })
  })

  test('has no difference for the check of money', { timeout: LONG }, async () => {
    const env = {
      DATABASE_URL: primary.url,
      DATA_DIR: folder,
      SEED_DEMO: '1',
      NEW_ACCOUNT_HOURS: '0',
      JOB_LEASE_SECONDS: '5',
      PAYMENT_PROVIDER: 'sandbox',
      SECRET_KEY: 'k'.repeat(32),
    }
    let running = (server = await startServer(env))
    const start = async () => {
      running = server = await startServer(env)
    }
    // The demo has purchases and members without payments.
    await primary.sql('delete from post_purchases')
    await primary.sql('delete from plan_members')
    const [plan] = await primary.sql('select id from plans where price = 500')
    const named = (name: string) => new Person(() => running, name)
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`kills of seed ${seed}`)
    const random = createRandom(seed)
    const [creator, admin, fans] = [named('creator'), named('admin'), [named('fan'), named('akari')]]
    const shop: Shop = {
      random,
      creator,
      admin,
      fans,
      planId: String(plan?.['id']),
      posts: [],
      payments: [],
      memberships: [],
    }
    for (const it of [creator, admin, ...fans]) await it.signIn()
    for (let kill = 0; kill < KILLS; kill++) {
      let left = random.between(BETWEEN.least, BETWEEN.most)
      const people = Array.from({ length: 4 }, async () => {
        while (left-- > 0) await random.pick(acts)(shop)
      })
      const isOver = Promise.all(people)
      await until(() => left <= BETWEEN.least / 2, 'half of the acts')
      await running.end('SIGKILL')
      await isOver
      await start()
    }
    await until(
      async () => Number((await primary.sql(UNSETTLED))[0]?.['left']) === 0,
      'everything to be settled',
      300_000,
    )
    await running.end('SIGTERM')
    const main = path.join(import.meta.dirname, 'cli/main.ts')
    const checked = spawnSync(process.execPath, [main, 'money', 'check'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining('no difference')])
    console.log(checked.stdout)
    const [sold] = await primary.sql(`select count(*)::int as count from charges where not is_surplus`)
    expect(Number(sold?.['count'])).toBeGreaterThan(KILLS)
  })
})
