// The device as the queue meets it: rows that outlive every kill, each change one transaction.
import { v5ish } from './ids.ts'
import type { Job, JobFacts, Media, Protocol, Receipt, Session } from '#device/schema.ts'
import { CHUNK_BYTES, chunksOf } from '#device/chunks.ts'
import { newFacts } from '#device/jobs.ts'

export class SimDevice {
  session: Session | undefined
  readonly jobs = new Map<string, Job>()
  readonly media = new Map<string, Media>()
  /** Chunks stored so far, by media. */
  readonly chunks = new Map<string, number>()
  /** Media that a page is copying. */
  readonly copying = new Set<string>()
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

  changeFacts(jobId: string, change: (facts: JobFacts) => JobFacts): Job | undefined {
    const job = this.jobs.get(jobId)
    if (!job) return undefined
    const next = { ...job, facts: change(job.facts) }
    this.jobs.set(jobId, next)
    if (next.facts !== job.facts) this.changed()
    return next
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
}

/** A job as submitDraft makes it, with its rows. */
export function submitJob(device: SimDevice, wish: Wish, number: number, now: number): Job {
  const id = v5ish(`job ${number}`)
  const sizes = wish.sizes
  const media = sizes.map((size, i): Media => {
    const mediaId = v5ish(`media ${number} ${i}`)
    return {
      id: mediaId,
      draftId: id,
      ownerId: wish.owner,
      role: 'media',
      kind: wish.video ? 'video' : 'image',
      name: wish.video ? 'a.mp4' : 'a.jpg',
      mime: '',
      size,
      duration: null,
      alt: '',
      bytes: { is: 'stored', digest: mediaId },
      createdAt: now,
    }
  })
  for (const row of media) {
    device.media.set(row.id, row)
    device.chunks.set(row.id, wish.copying ? 0 : chunksOf(row.size))
    if (wish.copying) device.copying.add(row.id)
  }
  const job: Job = {
    id,
    ownerId: wish.owner,
    key: v5ish(`key ${number}`),
    protocol: wish.protocol,
    form: {
      content: `post ${number}`,
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: sizes.length === 0 ? 'none' : wish.video ? 'video' : 'images',
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    facts: newFacts(media, wish.protocol),
    createdAt: now + number,
  }
  device.drafts.add(id)
  device.jobs.set(id, job)
  device.changed()
  return job
}

/** Bytes of chunk `index` of a media. */
export function chunkSize(media: Media, index: number): number {
  return Math.min(CHUNK_BYTES, media.size - index * CHUNK_BYTES)
}
