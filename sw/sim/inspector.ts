// Watches the invariants of the queue, on the way and at the end. Each violation is a sentence.
import type { Delivery, JobFacts } from '#device/schema.ts'
import type { Reply, Request } from './exchange.ts'
import type { Life, World } from './world.ts'

export class Inspector {
  readonly violations: string[] = []
  readonly #active = new Map<Life, number>()
  readonly #cancelled = new Set<string>()
  /** Bytes the server has acknowledged to this device, by upload. */
  readonly #acknowledged = new Map<string, number>()

  defect(error: unknown): void {
    this.violations.push(`the run threw: ${error instanceof Error ? error.stack : String(error)}`)
  }

  /** A living context begins a request. */
  enter(life: Life): void {
    const count = (this.#active.get(life) ?? 0) + 1
    this.#active.set(life, count)
    if (count > 1) this.violations.push(`8: ${count} requests of one runner at a time`)
    const busy = [...this.#active].filter(([it, requests]) => it.alive && requests > 0)
    if (busy.length > 1) this.violations.push('7: two runners at one time')
  }
  leave(life: Life): void {
    this.#active.set(life, (this.#active.get(life) ?? 1) - 1)
  }

  /** A request leaves the device. */
  request(world: World, request: Request): void {
    const person = world.server.tokens.get((request.headers['Authorization'] ?? '').replace('Bearer ', ''))
    const job = jobOf(world, request)
    if (!job) return
    // A refused token belongs to nobody any more; whose it was is what its text says.
    const signer = person ?? (request.headers['Authorization'] ?? '').replace(/^Bearer token-(.*)-\d+$/, '$1')
    if (signer !== job.ownerId)
      this.violations.push(`5: a job was sent by another person: ${request.method} ${request.path}`)
    if (request.method !== 'PATCH') return
    const id = request.path.split('/').at(-1) ?? ''
    if (Number(request.headers['Upload-Offset']) < (this.#acknowledged.get(id) ?? 0)) {
      this.violations.push('3: acknowledged bytes are sent again')
    }
  }

  /** An answer reaches the device: what it says of an upload is known from here on. */
  reply(request: Request, reply: Reply): void {
    const id = request.path.split('/').at(-1) ?? ''
    const offset = reply.headers?.['Upload-Offset']
    if (reply.status === 404 || request.method === 'DELETE') this.#acknowledged.delete(id)
    else if ((reply.status < 300 || reply.status === 409) && offset !== undefined)
      this.#acknowledged.set(id, Number(offset))
  }

  /** An event changed a job. */
  changed({ ending, media }: JobFacts): void {
    const failed = ending.is === 'failed' && ending.code === 'storage_full'
    if (failed || media.some((it) => it.failed === 'storage_full'))
      this.violations.push('9: a server without room was taken for a refusal')
  }

  /** The device is about to forget a released job. */
  finish(world: World, postId: string): void {
    const post = world.server.posts.find((it) => it.id === postId)
    if (!post || post.published === 0) this.violations.push('4: deleted before the release was acknowledged')
  }

  /** The device is about to forget an identity check that was acknowledged. */
  finishCheck(world: World, key: string): void {
    if (!world.server.checks.all.some((it) => it.key === key))
      this.violations.push('4: deleted before the check was acknowledged')
  }

  /** The device is about to drop a job without a post. */
  drop(world: World, jobId: string): void {
    // Of a discarded draft nothing is owed but that the server forgets its files.
    if (world.device.early.get(jobId)?.facts.ending.is === 'cancelled') return
    const ending = world.device.jobs.get(jobId)?.facts.ending.is
    if (ending !== 'cancelled') this.violations.push(`6: a job that is ${ending ?? 'gone'} was dropped`)
    this.#cancelled.add(jobId)
  }

  /** The story is over: what became of every job? */
  final(world: World, submitted: number): void {
    const { device, server } = world
    const say = (violation: string) => this.violations.push(violation)
    const ids = [...device.jobs.keys(), ...device.receipts.keys(), ...this.#cancelled]
    if (new Set(ids).size !== ids.length) say('6: a job ended in two ways')
    if (ids.length !== submitted) say(`6: ${submitted} jobs were submitted, ${ids.length} are accounted for`)
    for (const [id, job] of device.jobs) {
      const { ending } = job.facts
      const unfinished = job.facts.media.some(
        (it) => (device.chunks.get(it.id) ?? 0) * 5 * 1024 * 1024 < it.size,
      )
      if (ending.is !== 'failed') say(`6: job ${id} never ended: ${JSON.stringify(job.facts)}`)
      else if (ending.code !== 'bytes_missing' || !unfinished)
        say(`6: job ${id} failed in calm: ${ending.code}`)
      if (!device.drafts.has(id)) say('4: a failed job lost its draft')
    }
    for (const id of this.#cancelled) if (!device.drafts.has(id)) say('4: a cancelled job lost its draft')
    for (const [id, early] of device.early)
      say(`6: what went up early of ${id} stays: ${JSON.stringify(early.facts)}`)
    const publishedKeys = new Map<string, number>()
    for (const post of server.posts) {
      const key = post.content
      publishedKeys.set(key, (publishedKeys.get(key) ?? 0) + post.published)
      if (post.published > 0 && !post.whole) say('2: the released bytes are not the picked bytes')
    }
    for (const [content, times] of publishedKeys)
      if (times > 1) say(`1: ${content} was published ${times} times`)
    if (server.posts.length > publishedKeys.size) say('1: a job made two posts')
    const released = [...publishedKeys.values()].filter((times) => times === 1).length
    const receipts = [...device.receipts.values()].filter((it) => it.kind === 'post').length
    if (released !== receipts) say(`1: ${receipts} receipts, ${released} published posts`)
    const { all: checks } = server.checks
    const sent = device.receipts.size - receipts
    if (checks.length !== sent) say(`1: ${sent} receipts, ${checks.length} identity checks`)
    if (checks.some((it) => !it.whole)) say('2: a check holds other bytes than were picked')
    for (const post of server.posts)
      if (post.uploads.some((id) => server.uploads.get(id)?.purpose === 'identity'))
        say('8: a document was attached to a post')
  }
}

function jobOf(world: World, request: Request): Delivery | undefined {
  const key = request.headers['Idempotency-Key']
  const id = request.path.split('/').at(-1) ?? ''
  return world.device
    .deliveries()
    .find(
      (job) =>
        (key !== undefined && job.form && job.key === key) ||
        job.facts.post?.id === id ||
        job.facts.media.some((it) => it.id === id),
    )
}
