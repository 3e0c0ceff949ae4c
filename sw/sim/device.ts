// The device as the queue meets it: rows that outlive every kill, each change one transaction.
import { v5ish } from './ids.ts'
import { byAge as byActAge, firstOfEach, fold } from '#device/act-order.ts'
import { newAct, numberAfter, type NewAct } from '#device/acts.ts'
import type {
  ActJob,
  Delivery,
  Early,
  Job,
  JobFacts,
  Media,
  PostJob,
  Protocol,
  Receipt,
  Session,
} from '#device/schema.ts'
import { CHUNK_BYTES, chunksOf } from '#device/chunks.ts'
import { checkFacts, earlyFacts, submittedFacts, withoutDraft, withoutFile } from '#device/facts.ts'

export class SimDevice {
  session: Session | undefined
  readonly jobs = new Map<string, Job>()
  /** What goes up of drafts that are still being written. */
  readonly early = new Map<string, Early>()
  readonly media = new Map<string, Media>()
  /** Chunks stored so far, by media. */
  readonly chunks = new Map<string, number>()
  /** Media that a page is copying. */
  readonly copying = new Set<string>()
  /** Small things done and not answered yet. */
  readonly acts = new Map<string, ActJob>()
  #number = { source: v5ish('this device'), number: 0 }
  readonly drafts = new Set<string>()
  readonly receipts = new Map<string, Receipt>()
  readonly #listeners = new Set<() => void>()

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  changed(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Submitted posts first, then what is sent early; each oldest first. */
  deliveries(): Delivery[] {
    const byAge = (a: Delivery, b: Delivery) => a.createdAt - b.createdAt
    return [
      ...[...this.jobs.values()].toSorted(byAge),
      ...[...this.early.values()].filter((it) => !this.jobs.has(it.id)).toSorted(byAge),
    ]
  }

  changeFacts(jobId: string, change: (facts: JobFacts) => JobFacts): Delivery | undefined {
    const before = this.jobs.get(jobId) ?? this.early.get(jobId)
    if (!before) return undefined
    const next = { ...before, facts: change(before.facts) }
    if (next.form) this.jobs.set(jobId, next)
    else this.early.set(jobId, next)
    if (next.facts !== before.facts) this.changed()
    return next
  }

  /** As device/acts.ts keeps an act; `countsAnew` is planted. */
  queueAct(owner: string, wanted: NewAct, now: number, countsAnew = false): void {
    const acts = [...this.acts.values()].filter((it) => it.ownerId === owner)
    const folded = fold(acts, wanted.act)
    if (folded.is === 'already') return
    if (folded.is === 'replaces') this.acts.delete(folded.id)
    this.#number = countsAnew ? { ...this.#number, number: 1 } : numberAfter(this.#number, now)
    const row = newAct(owner, wanted, this.#number, now)
    const createdAt = Math.max(now, (acts.toSorted(byActAge).at(-1)?.createdAt ?? 0) + 1)
    this.acts.set(row.id, { ...row, createdAt })
    this.changed()
  }

  readyActs(owner: string): ActJob[] {
    return firstOfEach([...this.acts.values()].filter((it) => it.ownerId === owner))
  }

  changeActFacts(id: string, change: (facts: JobFacts) => JobFacts): ActJob | undefined {
    const before = this.acts.get(id)
    if (!before) return undefined
    const next = { ...before, facts: change(before.facts) }
    this.acts.set(id, next)
    if (next.facts !== before.facts) this.changed()
    return next
  }

  dropAct(id: string): void {
    this.acts.delete(id)
    this.changed()
  }

  forget(jobId: string): void {
    this.jobs.delete(jobId)
    for (const media of [...this.media.values()].filter((it) => it.draftId === jobId)) {
      this.media.delete(media.id)
      this.chunks.delete(media.id)
    }
    this.drafts.delete(jobId)
  }
}

export interface Wish {
  owner: string
  sizes: number[]
  video: boolean
  protocol: Protocol
  /** Its bytes are still being copied when it is submitted. */
  copying: boolean
  /** Its files go up while it is written. */
  early: boolean
  /** It is discarded instead of being submitted. */
  discarded: boolean
  /** It is no post but an identity check: two pictures and a recording. */
  identity: boolean
}

/** The files of a wish are picked: their rows and bytes, and where it is so wished they go up at once. */
export function pickFiles(device: SimDevice, wish: Wish, number: number, now: number): Media[] {
  const draftId = draftIdOf(number)
  const media = wish.sizes.map((size, i) =>
    mediaOf(wish, { id: v5ish(`media ${number} ${i}`), draftId, size }, now),
  )
  for (const row of media) keep(device, row, wish.copying)
  device.drafts.add(draftId)
  if (wish.early) sendEarly(device, wish, number, media, now)
  device.changed()
  return media
}

function draftIdOf(number: number): string {
  return v5ish(`job ${number}`)
}

function mediaOf(wish: Wish, it: Pick<Media, 'id' | 'draftId' | 'size'>, now: number): Media {
  return {
    ...it,
    ownerId: wish.owner,
    role: 'media',
    kind: wish.video ? 'video' : 'image',
    name: wish.video ? 'a.mp4' : 'a.jpg',
    mime: '',
    duration: null,
    alt: '',
    bytes: { is: 'stored', digest: it.id },
    conversion: { is: 'ready' },
    createdAt: now,
  }
}

function keep(device: SimDevice, row: Media, copying: boolean): void {
  device.media.set(row.id, row)
  device.chunks.set(row.id, copying ? 0 : chunksOf(row.size))
  if (copying) device.copying.add(row.id)
}

function sendEarly(device: SimDevice, wish: Wish, number: number, media: Media[], now: number): void {
  const id = draftIdOf(number)
  const before = device.early.get(id)
  const facts = earlyFacts(before?.facts, media)
  device.early.set(id, { id, ownerId: wish.owner, protocol: 'tus', form: null, facts, createdAt: now })
}

/** Another file is picked into the draft, and taken out again. */
export function changeMind(device: SimDevice, wish: Wish, number: number, now: number): { undo: () => void } {
  const draftId = draftIdOf(number)
  const row = mediaOf(wish, { id: v5ish(`unwanted ${number}`), draftId, size: 3_000_000 }, now)
  keep(device, row, false)
  sendEarly(device, wish, number, [row], now)
  device.changed()
  return {
    undo: () => {
      device.media.delete(row.id)
      device.chunks.delete(row.id)
      device.changeFacts(draftId, (facts) => (facts.early ? withoutFile(facts, row.id) : facts))
    },
  }
}

/** The draft is discarded before it was submitted. */
export function discard(device: SimDevice, number: number): void {
  const id = draftIdOf(number)
  device.changeFacts(id, withoutDraft)
  device.drafts.delete(id)
  for (const row of [...device.media.values()].filter((it) => it.draftId === id)) {
    device.media.delete(row.id)
    device.chunks.delete(row.id)
    device.copying.delete(row.id)
  }
}

/** A job as submitDraft makes it of a draft whose files were picked. */
export function submitJob(device: SimDevice, wish: Wish, number: number, now: number): Job {
  const id = draftIdOf(number)
  const media = wish.sizes.flatMap((_size, i) => device.media.get(v5ish(`media ${number} ${i}`)) ?? [])
  const about = { id, ownerId: wish.owner, key: v5ish(`key ${number}`), createdAt: now + number }
  const [front, back, live] = media
  const job: Job =
    wish.identity && front && back && live
      ? {
          kind: 'identity',
          ...about,
          protocol: 'tus',
          form: {
            documentKind: 'drivers_license',
            promptsId: v5ish(`prompts ${number}`),
            front: front.id,
            back: back.id,
            live: live.id,
          },
          facts: checkFacts(media.toReversed()),
        }
      : postOf(device, wish, number, media, about)
  device.early.delete(id)
  device.jobs.set(id, job)
  device.changed()
  return job
}

function postOf(
  device: SimDevice,
  wish: Wish,
  number: number,
  media: Media[],
  about: Pick<PostJob, 'id' | 'ownerId' | 'createdAt'> & { key: string },
): PostJob {
  return {
    kind: 'post',
    ...about,
    protocol: wish.protocol,
    form: {
      content: `post ${number}`,
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: media.length === 0 ? 'none' : wish.video ? 'video' : 'images',
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    facts: submittedFacts(device.early.get(about.id)?.facts, media, wish.protocol),
  }
}

/** Bytes of chunk `index` of a media. */
export function chunkSize(media: Media, index: number): number {
  return Math.min(CHUNK_BYTES, media.size - index * CHUNK_BYTES)
}
