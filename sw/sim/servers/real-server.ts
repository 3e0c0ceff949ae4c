// The real server modules in stories: one server for all, new people in each.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { eq, inArray, sql } from 'drizzle-orm'
import { RESPONSE_HEADER, REQUEST_HEADER } from '#contract/response.ts'
import { API_BASE } from '#contract/paths.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { sessions } from '#server/store/tables/people.ts'
import { postMedia, posts } from '#server/store/tables/posts.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World as ServerWorld } from '#server/testing/world.ts'
import { correctMessageRules, MessageServer } from './message-server.ts'
import { MutationServer, correctMutationRules } from './mutation-server.ts'
import { digestOf, full, SimBlob, SimForm } from '#sw/sim/browser/bytes.ts'
import type { Reply, Request } from '#sw/sim/network/exchange.ts'
import { hasFiles, diskFullReply } from '#sw/sim/network/full-disk.ts'
import type { ServerPost, StoryServer } from './story-server.ts'

export const openServer = (start: number): Promise<ServerWorld> =>
  openWorld({ database: 'pglite' }).then((server) => {
    server.clock.now = start
    return server
  })

/** The header names that stories read, by their lower-case form. */
const headerNames = new Map(
  [RESPONSE_HEADER, REQUEST_HEADER, 'Upload-Offset', 'Upload-Length', 'Location'].map((it) => [
    it.toLowerCase(),
    it,
  ]),
)

/** The server as one story sees it. */
export class RealServer implements StoryServer {
  full = false
  readonly mutations = new MutationServer(correctMutationRules)
  readonly messages = new MessageServer(correctMessageRules, new Map(), 1)
  readonly people: readonly { id: string }[]
  posts: ServerPost[] = []
  readonly #server: ServerWorld
  readonly #now: () => number
  readonly #issued = new Map<string, string>()
  readonly #revoked = new Set<string>()
  /** Writes outside requests; requests wait for them. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(server: ServerWorld, people: readonly { id: string }[], now: () => number) {
    this.#server = server
    this.people = people
    this.#now = now
  }

  /** The server for a new story, with two new people. */
  static async open(server: ServerWorld, now: () => number): Promise<RealServer> {
    server.clock.now = now()
    return new RealServer(server, [await signUp(server), await signUp(server)], now)
  }

  signIn(person: string): string {
    const token = newToken()
    this.#issued.set(token, person)
    const { deps } = this.#server
    this.#write(() => addSession(deps.db, { tokenHash: hashToken(token), userId: person }, this.#now()))
    return token
  }
  revoke(token: string | undefined): void {
    const { db } = this.#server.deps
    this.#revoked.add(token ?? '')
    if (token) this.#write(() => db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token))))
  }
  accepts(token: string): boolean {
    return this.#issued.has(token) && !this.#revoked.has(token)
  }
  personOf(token: string): string | undefined {
    return this.#issued.get(token)
  }
  isPublic(postId: string): boolean {
    return this.posts.some((it) => it.id === postId && it.published > 0)
  }
  isPublicByKey(author: string, key: string): boolean {
    return this.posts.some((it) => it.author === author && it.key === key && it.published > 0)
  }
  hasCheck(): boolean {
    return false
  }
  checks(): [] {
    return []
  }
  holdsDocument(): boolean {
    return false
  }

  #write(work: () => Promise<unknown>): void {
    this.#writing = this.#writing.then(work)
  }

  async answer(request: Request, share: number): Promise<Reply> {
    await this.#writing
    if (this.full && hasFiles(request)) return diskFullReply
    this.#server.clock.now = this.#now()
    const { payload, headers } = payloadOf(request, share)
    const reply = await this.#server.app.inject({
      method: request.method as 'POST',
      url: request.path,
      headers: { ...request.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    if (request.path.startsWith(`${API_BASE}/post/`) && !request.path.endsWith('/upload-chunking'))
      await this.readPosts()
    const text = reply.body
    return {
      status: reply.statusCode,
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [headerNames.get(name) ?? name, String(value)]),
      ),
      text,
    }
  }

  /** Reads the posts of this story's people. */
  async readPosts(): Promise<void> {
    const { db } = this.#server.deps
    const ids = this.people.map((it) => it.id)
    const rows = await db.select().from(posts).where(inArray(posts.authorId, ids))
    const released = rows.filter((it) => it.releasedAt).map((it) => it.id)
    const releases: unknown =
      released.length === 0
        ? { rows: [] }
        : await db.execute(
            sql`select data->>'postId' as id, count(*)::int as times from pgboss.job
              where name = 'post.released' and data->>'postId' in ${released} group by 1`,
          )
    const times = new Map(
      (releases as { rows: { id: string; times: number }[] }).rows.map((it) => [it.id, Number(it.times)]),
    )
    this.posts = rows.map((it) => ({
      id: it.id,
      author: it.authorId,
      key: it.idempotencyKey ?? '',
      content: it.content,
      published: it.releasedAt ? Math.max(1, times.get(it.id) ?? 1) : 0,
      files: [],
    }))
  }

  /** Reads the posts and the digests of their stored files. */
  async loadFinalState(): Promise<void> {
    await this.#writing
    await this.readPosts()
    const { deps } = this.#server
    for (const post of this.posts) {
      const rows = await deps.db.select().from(postMedia).where(eq(postMedia.postId, post.id))
      for (const { mediaId } of rows.toSorted((a, b) => a.position - b.position))
        post.files.push(
          await buffer(deps.storage.objects.read(`uploads/${mediaId}`)).then(
            (bytes) => digestOf(bytes, full.chunk),
            () => 'no file',
          ),
        )
    }
  }
}

function payloadOf({ body, headers }: Request, share: number) {
  if (body instanceof SimForm) {
    const form = multipart(body)
    return share < 1
      ? { payload: form.payload.subarray(0, form.payload.length >> 1), headers: form.headers }
      : form
  }
  if (!(body instanceof SimBlob)) return { payload: typeof body === 'string' ? body : undefined, headers: {} }
  // A broken connection ends the body early: only the bytes that arrived are sent, with their length.
  const payload = Buffer.from(body.data.subarray(0, Math.floor(body.size * share)))
  const type = headers['Content-Type'] ?? 'application/offset+octet-stream'
  return { payload, headers: { 'content-type': type, 'content-length': String(payload.length) } }
}

function multipart(form: SimForm): { payload: Buffer; headers: Record<string, string> } {
  const boundary = `story-${createHash('sha256').update(String(form.entries.length)).digest('hex').slice(0, 16)}`
  const parts = form.entries.flatMap(({ name, value, filename }) => {
    const file =
      value instanceof SimBlob
        ? `; filename="${filename}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
        : ''
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [
      Buffer.from(head),
      Buffer.from(value instanceof SimBlob ? value.data : value),
      Buffer.from('\r\n'),
    ]
  })
  const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
