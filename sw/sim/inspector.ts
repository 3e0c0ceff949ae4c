// Checks the queue's invariants at every request, every commit, and at the end.
import { addedPostOf } from '#device/jobs/job-rows.ts'
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { FileJob, Job } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import { Activity } from './activity.ts'
import type { Reply, Request } from './network/exchange.ts'
import { falseSentence } from './sentences.ts'
import { SessionWatch } from './session-watch.ts'
import { mayBeLost, noRows, type Stored, strictStores } from './stored.ts'
import { Submissions } from './submissions.ts'
import { checkEnd } from './verdict.ts'
import { typedBy } from './scenarios.ts'
import type { World } from './world.ts'

const hasPost = (job: Job): boolean => job.kind === 'post' && addedPostOf(job) !== null

export class Inspector {
  readonly violations: string[] = []
  /** Called for a job that was stored. */
  onJobAdded: (job: Job) => void = () => {}
  /** Called for a job whose post was added. */
  onPostAdded: (jobId: string) => void = () => {}
  readonly activity = new Activity((violation) => this.say(violation))
  readonly submissions = new Submissions(
    (violation) => this.say(violation),
    () => this.#stored.drafts,
  )
  readonly session: SessionWatch
  readonly #world: World
  #stored: Stored = noRows()
  /** Keys of submitted jobs, by job; a draft that is submitted again has another. */
  readonly #submitted = new Map<string, string>()
  readonly #looks: (() => void)[] = []
  readonly #cancelled = new Set<string>()
  /** Jobs whose receipt was written: it goes when its person signs out. */
  readonly #released = new Set<string>()
  /** What the browser cleared away: no device can finish it. */
  readonly evicted = new Set<string>()
  /** How often each job failed, and how often that was said. */
  readonly #failed = new Map<string, number>()
  /** Bytes the server has acknowledged to this device, by upload. */
  readonly #acknowledged = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
    this.session = new SessionWatch(world)
  }

  say(violation: string): void {
    if (!this.violations.includes(violation)) this.violations.push(violation)
  }

  /** The run of a queue ended with an error: a disk may say no, a newer version may have taken the database. */
  defect(error: unknown): void {
    if (error instanceof DOMException) return
    this.say(`the run threw: ${error instanceof Error ? error.stack : String(error)}`)
  }

  /** A request leaves the device. */
  request(request: Request): void {
    const { server } = this.#world
    const token = (request.headers['Authorization'] ?? '').replace('Bearer ', '')
    const job = this.#jobOf(request)
    if (!job) return
    // A refused token has no owner any more; its text names the former one.
    const signer = server.personOf(token)
    if (signer !== job.ownerId)
      this.say(`5: a job was sent by another person: ${request.method} ${request.path}`)
    if (request.path.endsWith('/post/add') && job.stage.is === 'open')
      this.say('1: a post is asked for before the device has noted that it may be there')
    if (request.method !== 'PATCH') return
    const id = request.path.split('/').at(-1) ?? ''
    if (Number(request.headers['Upload-Offset']) < (this.#acknowledged.get(id) ?? 0))
      this.say('3: acknowledged bytes are sent again')
  }

  #jobOf(request: Request): FileJob | undefined {
    const key = request.headers['Idempotency-Key']
    const id = request.path.split('/').at(-1) ?? ''
    return [...this.#stored.jobs.values(), ...this.#stored.early.values()].find(
      (job) =>
        (key !== undefined && job.kind !== 'preupload' && job.key === key) ||
        (job.kind === 'post' && addedPostOf(job)?.id === id) ||
        job.files.some((it) => it.id === id),
    )
  }

  /** An answer reaches the device: what it says of an upload is known from here on. */
  reply(request: Request, reply: Reply): void {
    const id = request.path.split('/').at(-1) ?? ''
    const offset = reply.headers?.['Upload-Offset']
    if (reply.cut) return
    if (reply.status === 404 || request.method === 'DELETE') this.#acknowledged.delete(id)
    else if ((reply.status < 300 || reply.status === 409) && offset !== undefined)
      this.#acknowledged.set(id, Number(offset))
  }

  /** Something is said outside the app. */
  noticed(notice: DeliveryNotice): void {
    const { browser, server } = this.#world
    switch (notice.is) {
      case 'published':
        if (!server.isPublic(notice.postId)) this.say('11: a post is said to be published that is not')
        return
      case 'failed':
      case 'identityFailed': {
        const left = (this.#failed.get(notice.jobId) ?? 0) - 1
        this.#failed.set(notice.jobId, left)
        if (left < 0) this.say('11: one failure is said twice')
        return
      }
      case 'identitySent':
        if (browser.disk.rows('receipts').every((it) => it.id !== notice.jobId))
          this.say('11: an identity check is said to be sent that is not')
        return
      case 'signedOut':
        return
      default:
        notice satisfies never
    }
  }

  /** Resolves when a queue next asks for what is to be sent. */
  nextLook(): Promise<void> {
    return new Promise((resolve) => this.#looks.push(resolve))
  }

  /** A queue asks for what is to be sent: what is there all the time must be among it. */
  lookAt(ownerId: string): (ids: readonly string[]) => void {
    for (const look of this.#looks.splice(0)) look()
    const own = () =>
      [...this.#stored.jobs.values(), ...this.#stored.early.values()].filter((it) => it.ownerId === ownerId)
    const before = new Set(own().map((it) => it.id))
    return (found) => {
      for (const { id } of own())
        if (before.has(id) && !found.includes(id))
          this.say('6: a queue does not see a delivery that is there')
    }
  }

  /** A transaction was committed: what changed? */
  committed(stores: readonly string[], durability: IDBTransactionDurability): void {
    if (durability === 'relaxed')
      for (const store of stores)
        if (strictStores.has(store)) this.say(`10: a transaction over ${store} was relaxed`)
    if (stores.includes('session')) this.session.changed()
    if (!stores.some((it) => it in this.#stored)) return
    const { disk } = this.#world.browser
    const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((it) => [it.id, it]))
    const before = this.#stored
    this.#stored = {
      jobs: byId(disk.rows('jobs')),
      early: byId(disk.rows('early')),
      drafts: byId(disk.rows('drafts')),
      receipts: byId(disk.rows('receipts')),
    }
    const after = this.#stored
    const { people } = this.#world
    for (const [id, job] of after.jobs)
      this.#jobChanged(before.jobs.get(id), job, before.drafts.get(id), durability)
    for (const [id, job] of before.jobs) if (!after.jobs.has(id)) this.#jobGone(job)
    const isGone = [...before.jobs.keys()].some((id) => !after.jobs.has(id))
    const isNew = [...after.receipts.keys()].some((id) => !before.receipts.has(id))
    if (durability === 'relaxed' && (isGone || isNew)) this.say('10: the end of a job was written relaxed')
    for (const [id, it] of after.drafts) {
      const was = before.drafts.get(id)
      if (was && was.ownerId !== it.ownerId) this.say('5: a draft changed its owner')
      if (people.some((person) => person.id !== it.ownerId && it.content === typedBy(person.id)))
        this.say('5: a draft holds what another person typed')
    }
    for (const [id, it] of before.drafts)
      if (!after.drafts.has(id) && after.jobs.has(id) && it.ownerId === after.jobs.get(id)?.ownerId)
        this.say('4: the draft of a job is gone')
    for (const id of after.early.keys())
      if (after.receipts.has(id) || after.jobs.has(id)) this.say('6: what was submitted is sent early too')
    const sentence = falseSentence(this.#world, [...after.jobs.values()])
    if (sentence) this.say(`11: ${sentence}`)
  }

  #jobChanged(
    before: Job | undefined,
    job: Job,
    draft: Draft | undefined,
    durability: IDBTransactionDurability,
  ): void {
    const { stage } = job
    if (!before) {
      this.#submitted.set(job.id, job.key)
      this.submissions.added(job, draft)
      this.onJobAdded(job)
    }
    if (before && before.key !== job.key) this.say('1: a job was given another key')
    if (before && !hasPost(before) && hasPost(job)) this.onPostAdded(job.id)
    const failedBefore = before?.stage.is === 'failed'
    if (stage.is === 'failed' && !failedBefore) this.#failed.set(job.id, (this.#failed.get(job.id) ?? 0) + 1)
    const isFull = (it: { is: string; code?: string }) => it.is === 'failed' && it.code === 'storage_full'
    if (isFull(stage) || job.files.some((it) => isFull(it.state)))
      this.say('9: a server without room was taken for a refusal')
    if (durability === 'relaxed' && !(before && mayBeLost(before, job)))
      this.say('10: what must not be lost was written relaxed')
  }

  #jobGone(job: Job): void {
    const { server } = this.#world
    const receipt = this.#stored.receipts.get(job.id)
    if (receipt) this.#released.add(job.id)
    if (receipt && job.kind === 'post') {
      if (!server.isPublic(receipt.postId)) this.say('4: deleted before the release was acknowledged')
      return
    }
    if (receipt) {
      if (!server.hasCheck(job.ownerId, job.key)) this.say('4: deleted before the check was acknowledged')
      return
    }
    const { is } = job.stage
    if (is !== 'cancelled' && is !== 'failed') this.say(`6: a job that is ${is} was dropped`)
    if (hasPost(job)) this.say('12: a job was dropped whose post is on the server')
    this.#cancelled.add(job.id)
  }

  /** The browser has cleared everything: what was there is not owed any more. */
  cleared(): void {
    for (const job of this.#stored.jobs.values()) this.evicted.add(job.key)
    for (const id of this.#stored.jobs.keys()) this.#submitted.delete(id)
    this.#stored = noRows()
    this.#acknowledged.clear()
    this.session.cleared()
  }

  /** The story is over: what became of every job? */
  final(): void {
    const { evicted } = this
    checkEnd(this.#world, {
      ...this.#stored,
      submitted: this.#submitted,
      cancelled: this.#cancelled,
      released: this.#released,
      evicted,
    })
  }
}
