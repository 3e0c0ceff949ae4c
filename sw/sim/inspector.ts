// Checks the queue's invariants at every request, every commit, and at the end.
import { addedPostOf, receiptKind } from '#device/jobs/job-rows.ts'
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { FileJob, Job, MessageJob } from '#device/jobs/job-rows.ts'
import type { Draft, MessageDraft, Receipt } from '#device/database/schema.ts'
import { AcknowledgedBytes } from './acknowledged-bytes.ts'
import { ActiveRequests } from './active-requests.ts'
import { addsBytes, type Reply, type Request, uploadIdIn } from './network/exchange.ts'
import { falseStatement } from './tray-view.ts'
import { SessionWatch } from './session-watch.ts'
import { mayBeLost, noRows, type StoredRows, strictStores } from './stored-rows.ts'
import { Submissions } from './submissions.ts'
import { checkFinalState } from './final-state.ts'
import { typedBy } from './scenarios.ts'
import type { World } from './world.ts'

const leavesReceipt = (job: Job): boolean => receiptKind.options.some((it) => it === job.kind)
const hasPost = (job: Job): boolean => job.kind === 'post' && addedPostOf(job) !== null

export class Inspector {
  readonly violations: string[] = []
  /** Called for a job that was stored. */
  onJobAdded: (job: Job) => void = () => {}
  /** Called for a message with files when it is submitted, and with all drafts of messages when one changes. */
  onMessageAdded: (job: MessageJob) => void = () => {}
  onMessageDrafts: (drafts: readonly MessageDraft[]) => void = () => {}
  /** Called for a message with files whose request is about to be sent. */
  onMessageRequested: (jobId: string) => void = () => {}
  /** Jobs of kinds without a receipt that were deleted after their delivery. */
  readonly delivered = new Set<string>()
  /** Ids of mutations that the browser evicted. */
  readonly evictedMutations = new Set<string>()
  /** Called for a job whose post was added. */
  onPostAdded: (jobId: string) => void = () => {}
  readonly activeRequests = new ActiveRequests((violation) => this.report(violation))
  readonly submissions = new Submissions(
    (violation) => this.report(violation),
    () => this.#stored.drafts,
  )
  readonly session: SessionWatch
  readonly #world: World
  #stored: StoredRows = noRows()
  /** Keys of submitted jobs, by job id; a draft that is submitted again has a new key. */
  readonly #submitted = new Map<string, string>()
  readonly #readWaiters: (() => void)[] = []
  readonly #cancelled = new Set<string>()
  /** Jobs whose receipt was written; a sign-out deletes the receipt. */
  readonly #released = new Set<string>()
  /** Keys of jobs that the browser evicted, so that no device can finish them. */
  readonly evicted = new Set<string>()
  /** Failures of each job without a notice yet. */
  readonly #failed = new Map<string, number>()
  readonly #acknowledged = new AcknowledgedBytes()

  constructor(world: World) {
    this.#world = world
    this.session = new SessionWatch(world)
  }

  report(violation: string): void {
    if (!this.violations.includes(violation)) this.violations.push(violation)
  }

  /** Reports the error of a run, except those of the database: a full disk, or a newer database version. */
  reportError(error: unknown): void {
    if (error instanceof DOMException) return
    this.report(`the run threw: ${error instanceof Error ? error.stack : String(error)}`)
  }

  /** Checks a request that a device sends. */
  onRequest(request: Request): void {
    const { server } = this.#world
    const token = (request.headers['Authorization'] ?? '').replace('Bearer ', '')
    const job = this.#jobOf(request)
    if (!job) return
    // The owner of a token is known also after its end.
    const sender = server.personOf(token)
    if (sender !== job.ownerId)
      this.report(`5: a job was sent by another person: ${request.method} ${request.path}`)
    const isSubmission = 'Idempotency-Key' in request.headers || request.path.endsWith('/messages')
    if (isSubmission && job.stage.is === 'open')
      this.report('1: a job is requested before the device has recorded the request')
    if (addsBytes(request) && Number(request.headers['Upload-Offset']) < this.#acknowledged.of(request.path))
      this.report('3: acknowledged bytes are sent again')
  }

  #jobOf(request: Request): FileJob | undefined {
    const key = request.headers['Idempotency-Key']
    const id = request.path.endsWith('/messages')
      ? (JSON.parse(String(request.body)) as { id: string }).id
      : (uploadIdIn(request.path) ?? request.path.split('/').at(-1) ?? '')
    return [...this.#stored.jobs.values(), ...this.#stored.early.values()].find(
      (job) =>
        (key !== undefined && job.kind !== 'preupload' && job.key === key) ||
        (job.kind === 'post' && addedPostOf(job)?.id === id) ||
        (job.kind === 'message' && job.id === id) ||
        job.files.some((it) => it.id === id),
    )
  }

  /** Records what the server has of an upload, from a reply that reaches the device. */
  onReply(request: Request, reply: Reply): void {
    this.#acknowledged.onReply(request, reply)
  }

  /** Checks a notice that is shown outside the app. */
  onNotice(notice: DeliveryNotice): void {
    const { browser, server } = this.#world
    switch (notice.is) {
      case 'published':
        if (!server.isPublic(notice.postId))
          this.report('11: a notice reports a post as published that is not public')
        return
      case 'failed':
      case 'identityFailed':
      case 'messageFailed': {
        const remaining = (this.#failed.get(notice.jobId) ?? 0) - 1
        this.#failed.set(notice.jobId, remaining)
        if (remaining < 0) this.report('11: one failure has two notices')
        return
      }
      case 'identitySent':
        if (browser.disk.rows('receipts').every((it) => it.id !== notice.jobId))
          this.report('11: a notice reports an identity check as sent that is not')
        return
      case 'signedOut':
        return
      default:
        notice satisfies never
    }
  }

  /** Resolves when a queue next reads its deliveries. */
  nextDeliveriesRead(): Promise<void> {
    return new Promise((resolve) => this.#readWaiters.push(resolve))
  }

  /** Checks a read of deliveries: it must contain those that are stored during the whole read. */
  checkDeliveriesRead(ownerId: string): (ids: readonly string[]) => void {
    for (const resolve of this.#readWaiters.splice(0)) resolve()
    const own = () =>
      [...this.#stored.jobs.values(), ...this.#stored.early.values()].filter((it) => it.ownerId === ownerId)
    const before = new Set(own().map((it) => it.id))
    return (found) => {
      for (const { id } of own())
        if (before.has(id) && !found.includes(id)) this.report('6: a queue does not read a stored delivery')
    }
  }

  /** Checks the changes of a committed transaction. */
  onCommit(stores: readonly string[], durability: IDBTransactionDurability): void {
    if (durability === 'relaxed')
      for (const store of stores)
        if (strictStores.has(store)) this.report(`10: a transaction over ${store} was relaxed`)
    if (stores.includes('session')) this.session.onCommit()
    if (stores.includes('messageDrafts') && !stores.includes('jobs'))
      this.onMessageDrafts(this.#world.browser.disk.rows('messageDrafts'))
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
    for (const [id, job] of before.jobs) if (!after.jobs.has(id)) this.#jobDeleted(job)
    const isDeleted = [...before.jobs.keys()].some((id) => !after.jobs.has(id))
    const isNew = [...after.receipts.keys()].some((id) => !before.receipts.has(id))
    if (durability === 'relaxed' && (isDeleted || isNew))
      this.report('10: the end of a job was written relaxed')
    for (const [id, it] of after.drafts) {
      const previous = before.drafts.get(id)
      if (previous && previous.ownerId !== it.ownerId) this.report('5: a draft changed its owner')
      if (people.some((person) => person.id !== it.ownerId && it.content === typedBy(person.id)))
        this.report('5: a draft has the text of another person')
    }
    for (const [id, it] of before.drafts)
      if (!after.drafts.has(id) && after.jobs.has(id) && it.ownerId === after.jobs.get(id)?.ownerId)
        this.report('4: the draft of a job was deleted')
    for (const id of after.early.keys())
      if (after.receipts.has(id) || after.jobs.has(id))
        this.report('6: a submitted draft is also preuploaded')
    const statement = falseStatement(this.#world, [...after.jobs.values()])
    if (statement) this.report(`11: ${statement}`)
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
      if (job.kind === 'message') this.onMessageAdded(job)
      this.onJobAdded(job)
    }
    if (before && before.key !== job.key) this.report('1: the key of a job changed')
    if (before && !hasPost(before) && hasPost(job)) this.onPostAdded(job.id)
    if (job.kind === 'message' && stage.is === 'requested' && before?.stage.is !== 'requested')
      this.onMessageRequested(job.id)
    const failedBefore = before?.stage.is === 'failed'
    if (stage.is === 'failed' && !failedBefore) this.#failed.set(job.id, (this.#failed.get(job.id) ?? 0) + 1)
    const isFull = (it: { is: string; code?: string }) => it.is === 'failed' && it.code === 'storage_full'
    if (isFull(stage) || job.files.some((it) => isFull(it.state)))
      this.report('9: a full server was treated as a refusal')
    if (durability === 'relaxed' && !(before && mayBeLost(before, job)))
      this.report('10: a value that must not be lost was written relaxed')
  }

  /** Whether the server has what a delivered job was to make. */
  #isOnServer(job: Job, receipt: Receipt | undefined): boolean {
    const { server } = this.#world
    switch (job.kind) {
      case 'post':
        return receipt !== undefined && server.isPublic(receipt.postId)
      case 'identity':
        return server.hasCheck(job.ownerId, job.key)
      case 'message':
        return server.messages.has(job.id)
      default:
        return job satisfies never
    }
  }

  #jobDeleted(job: Job): void {
    const { server } = this.#world
    const receipt = this.#stored.receipts.get(job.id)
    const { is } = job.stage
    const isDelivered = is === 'delivered' && !leavesReceipt(job)
    if (receipt) this.#released.add(job.id)
    if (isDelivered) this.delivered.add(job.id)
    if (receipt || isDelivered) {
      if (!this.#isOnServer(job, receipt))
        this.report(`4: a job (${job.kind}) was deleted before it was acknowledged`)
      return
    }
    if (is !== 'cancelled' && is !== 'failed') this.report(`6: a job that is ${is} was dropped`)
    if (hasPost(job)) this.report('12: a job was dropped whose post is on the server')
    if (server.messages.has(job.id) && !server.messages.wasRefused(job.id))
      this.report('12: a message was dropped that is on the server')
    this.#cancelled.add(job.id)
  }

  /** The browser has cleared the site's data: its jobs need not be finished. */
  onSiteCleared(): void {
    for (const job of this.#stored.jobs.values()) this.evicted.add(job.key)
    for (const id of this.#stored.jobs.keys()) this.#submitted.delete(id)
    for (const { id } of this.#world.browser.disk.rows('acts')) this.evictedMutations.add(id)
    this.#stored = noRows()
    this.#acknowledged.clear()
    this.session.onSiteCleared()
  }

  /** Whether a person has cancelled the job, so that it was deleted. */
  isCancelled(jobId: string): boolean {
    return this.#cancelled.has(jobId)
  }

  /** Checks the end of a story: the state of every job. */
  checkFinalState(): void {
    const { evicted } = this
    checkFinalState(this.#world, {
      ...this.#stored,
      submitted: this.#submitted,
      cancelled: this.#cancelled,
      released: this.#released,
      evicted,
    })
  }
}
