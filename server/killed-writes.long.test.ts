// Everything that a killed server has acknowledged is there, and nothing twice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { tus } from './testing/people/members.ts'
import { type Running, startServer } from './testing/process.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { startPrimary } from './testing/replication/replica.ts'

const KILLS = 12
/** Acknowledged writes between two kills. */
const BETWEEN = { least: 10, spread: 60 }
const LONG = 900_000
const CHUNK = 64 * 1024
const FILE = 1000 * CHUNK
const PASSWORD = 'todoke-demo1'

/** The servers that follow each other on one folder and one database. */
interface Line {
  server: Running
  /** Fulfilled when the server has been killed and the next one replies. */
  next: PromiseWithResolvers<void>
  acknowledged: number
}

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** A person at the API of whichever server runs. */
class Device {
  private token = ''
  id = ''
  private readonly line: Line
  private readonly email: string

  constructor(line: Line, name: string) {
    this.line = line
    this.email = `${name}@demo.todoke.example`
  }

  async signIn(): Promise<void> {
    const json = { email: this.email, password: PASSWORD }
    const { body } = await this.acknowledged('POST', `${API_BASE}/auth/sign-in`, { json })
    const { token, user } = body as { token: string; user: { id: string } }
    Object.assign(this, { token, id: user.id })
  }

  /** Sends a request again after each kill until a server replies, as a device does. */
  async acknowledged(method: string, url: string, it: Body = {}): Promise<Reply> {
    for (;;) {
      const { server, next } = this.line
      const reply = await this.send(server.origin, method, url, it).catch(() => undefined)
      if (reply && reply.status < 400) {
        this.line.acknowledged += 1
        return reply
      }
      if (reply && reply.status < 500)
        throw new Error(`${url} was refused: ${reply.status} ${JSON.stringify(reply.body)}`)
      await next.promise
    }
  }

  /** Sends a request once. @throws when the server was killed before its reply */
  once(method: string, url: string, it: Body): Promise<Reply> {
    return this.send(this.line.server.origin, method, url, it)
  }

  private async send(origin: string, method: string, url: string, it: Body): Promise<Reply> {
    const response = await fetch(origin + url, {
      method,
      headers: {
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        ...(it.json !== undefined && { 'content-type': 'application/json' }),
        ...it.headers,
      },
      body: it.json === undefined ? (it.body ?? null) : JSON.stringify(it.json),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
  }
}

interface Body {
  readonly json?: object
  readonly body?: FormData | Buffer<ArrayBuffer>
  readonly headers?: Record<string, string>
}

interface Writer {
  /** One write, which ends when it is acknowledged. */
  write(): Promise<void>
  /** Whether all acknowledged writes are there, each once. */
  check(): Promise<void>
}

/** Every item of a list, over its pages. */
async function itemsOf<T>(device: Device, url: string, name: string): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more = cursor === '' ? '' : `${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
    const { body } = await device.acknowledged('GET', API_BASE + url + more)
    const page = body as Record<string, unknown>
    items.push(...(page[name] as T[]))
    cursor = (page['next'] ?? null) as string | null
  }
  return items
}

/** Expects each of these once, and after them at most the one whose reply was not received. */
function expectOnce(found: readonly string[], acknowledged: readonly string[]): void {
  expect(found.filter((it) => acknowledged.includes(it)).toSorted()).toEqual(acknowledged.toSorted())
}

function posts(device: Device, mark: string): Writer {
  const done: string[] = []
  return {
    async write() {
      const content = `${mark}${done.length}`
      const form = new FormData()
      form.append('content', content)
      form.append('type', '1')
      const headers = { 'idempotency-key': newId() }
      const added = await device.acknowledged('POST', `${API_BASE}/post/add`, { body: form, headers })
      const { data } = added.body as { data: { item: { id: string } }[] }
      await device.acknowledged('POST', `${API_BASE}/post/release-uploaded/${data[0]?.item.id}`)
      done.push(content)
    },
    async check() {
      const all = await itemsOf<{ access: { content: string } }>(
        device,
        `/posts?author=${device.id}`,
        'posts',
      )
      const own = all.map((it) => it.access.content).filter((it) => it.startsWith(mark))
      expectOnce(own, done)
    },
  }
}

function comments(device: Device, postId: () => string): Writer {
  const done: string[] = []
  return {
    async write() {
      const json = { id: newId(), content: `コメント${done.length}` }
      await device.acknowledged('POST', `${API_BASE}/posts/${postId()}/comments`, { json })
      done.push(json.id)
    },
    async check() {
      const all = await itemsOf<{ id: string }>(device, `/posts/${postId()}/comments`, 'comments')
      expectOnce(
        all.map((it) => it.id),
        done,
      )
      const { body } = await device.acknowledged('GET', `${API_BASE}/posts/${postId()}`)
      const { counts } = body as { counts: { comments: number } }
      expect(counts.comments).toBe(all.length)
    },
  }
}

function likes(device: Device, postId: () => string): Writer {
  let isLiked = false
  return {
    async write() {
      await device.acknowledged(isLiked ? 'DELETE' : 'PUT', `${API_BASE}/posts/${postId()}/like`)
      isLiked = !isLiked
    },
    async check() {
      const { body } = await device.acknowledged('GET', `${API_BASE}/posts/${postId()}`)
      const { liked, counts } = body as { liked: boolean; counts: { likes: number } }
      expect([liked, counts.likes]).toEqual([isLiked, isLiked ? 1 : 0])
    },
  }
}

function messages(device: Device, to: () => string): Writer {
  const done: string[] = []
  return {
    async write() {
      const json = { id: newId(), content: `メッセージ${done.length}` }
      await device.acknowledged('POST', `${API_BASE}/conversations/${to()}/messages`, { json })
      done.push(json.id)
    },
    async check() {
      const all: { id: string; seq: number }[] = []
      for (let more = true; more;) {
        const after = all.at(-1)?.seq ?? 0
        const url = `${API_BASE}/conversations/${to()}/messages?after=${after}`
        const { messages: page } = (await device.acknowledged('GET', url)).body as { messages: typeof all }
        all.push(...page)
        more = page.length > 0
      }
      expectOnce(
        all.map((it) => it.id),
        done,
      )
    },
  }
}

function chunks(device: Device): Writer {
  const id = newId()
  let [offset, isCreated] = [0, false]
  const url = `${TUS_PATH}/${id}`
  return {
    async write() {
      if (!isCreated) {
        const metadata = `id ${Buffer.from(id).toString('base64')},filename ${Buffer.from('a.mp4').toString('base64')}`
        const headers = { ...tus, 'upload-length': String(FILE), 'upload-metadata': metadata }
        await device.acknowledged('POST', TUS_PATH, { headers })
        isCreated = true
      }
      const head = await device.acknowledged('HEAD', url, { headers: tus })
      const stored = Number(head.headers.get('upload-offset'))
      expect(stored).toBeGreaterThanOrEqual(offset)
      offset = stored
      const headers = { ...tus, 'content-type': 'application/offset+octet-stream' }
      const body = Buffer.alloc(CHUNK, stored / CHUNK)
      // A part that was stored without a reply is refused by its offset: the next write reads the offset again.
      const reply = await device
        .once('PATCH', url, { body, headers: { ...headers, 'upload-offset': String(stored) } })
        .catch(() => undefined)
      if (reply?.status === 204) offset = stored + CHUNK
    },
    async check() {
      if (!isCreated) return
      const head = await device.acknowledged('HEAD', url, { headers: tus })
      expect(Number(head.headers.get('upload-offset'))).toBeGreaterThanOrEqual(offset)
    },
  }
}

async function writeUntil(writer: Writer, isOver: () => boolean): Promise<void> {
  do await writer.write()
  while (!isOver())
}

/** A number below 2^31 that follows another one. */
const following = (seed: number) => (seed * 1_103_515_245 + 12_345) % 2_147_483_648

interface Store {
  readonly env: Record<string, string>
  remove(): Promise<void>
}

const stores: Record<string, { available: boolean; open: () => Promise<Store> }> = {
  'the embedded database': {
    available: true,
    open: async () => ({ env: {}, remove: async () => {} }),
  },
  PostgreSQL: {
    available: postgresAvailable(),
    async open() {
      const primary: PostgresServer = await startPrimary()
      return { env: { DATABASE_URL: primary.url }, remove: () => primary.remove() }
    },
  },
}

describe.each(Object.entries(stores))('on %s', (_, { available, open }) => {
  describe.skipIf(!available)(
    `a server that is killed ${KILLS} times under mixed writes`,
    { timeout: LONG },
    () => {
      let store: Store
      let env: Record<string, string>
      let line: Line | undefined
      beforeAll(async () => {
        store = await open()
        const folder = await mkdtemp(path.join(tmpdir(), 'todoke-killed-'))
        env = { ...store.env, DATA_DIR: folder, SEED_DEMO: '1', NEW_ACCOUNT_HOURS: '0' }
        return () => rm(folder, { recursive: true, force: true })
      }, LONG)
      afterEach(() => line?.server.end('SIGKILL'))
      afterAll(() => store.remove())

      test('has everything that it acknowledged, once', async () => {
        const next = Promise.withResolvers<void>()
        const servers: Line = (line = { server: await startServer(env), next, acknowledged: 0 })
        const [creator, fan, other] = [
          new Device(servers, 'creator'),
          new Device(servers, 'fan'),
          new Device(servers, 'akari'),
        ]
        for (const it of [creator, fan, other]) await it.signIn()
        const target = await itemsOf<{ id: string }>(other, `/posts?author=${other.id}&type=1`, 'posts')
        const postId = () => target[0]?.id ?? ''
        const writers = [
          posts(creator, '作品'),
          posts(fan, '日記'),
          comments(fan, postId),
          likes(creator, postId),
          messages(fan, () => creator.id),
          chunks(creator),
        ]
        let seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
        console.log(`kills of seed ${seed}`)
        for (let kill = 0; kill < KILLS; kill++) {
          seed = following(seed)
          const until = servers.acknowledged + BETWEEN.least + (seed % BETWEEN.spread)
          const over = Promise.withResolvers<void>()
          const isOver = () => {
            if (servers.acknowledged < until) return false
            over.resolve()
            return true
          }
          const writing = Promise.all(writers.map((it) => writeUntil(it, isOver)))
          await Promise.race([over.promise, writing])
          await servers.server.end('SIGKILL')
          const { next: killed } = servers
          const server = await startServer(env)
          Object.assign(servers, { server, next: Promise.withResolvers<void>() })
          killed.resolve()
          await writing
          for (const it of writers) await it.check()
        }
        expect(servers.acknowledged).toBeGreaterThan(KILLS * BETWEEN.least)
      })
    },
  )
})
