// Frames: takes the frame and the length of a draft's videos, and finds incomplete ones.
import { readWhole } from '#device/files/chunks.ts'
import { listMedia, setDuration } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import type { Cut } from '#src/domain/media/film/film-facts.ts'
import { filmOf } from '#src/domain/media/film/video-client.ts'
import { frameOf } from '#src/domain/media/film/video-frame.ts'

/** The editor's functions that frames use. */
export interface FramePorts {
  draft: () => Draft
  store: (picture: File) => Promise<void>
  /** Called for a video that ends long before the end in its index. */
  cut: (mediaId: string, cut: Cut) => void
  /** Whether a frame is being taken. */
  taking: (is: boolean) => void
}

/** What a frame is to its draft. */
export const asFrame = { kind: 'image', role: 'frame', conversion: { is: 'ready' } } as const

export class Frames {
  readonly #ports: FramePorts
  /** Ids of videos whose frame this page has taken or tried to take. */
  readonly #tried = new Set<string>()
  /** Ids of videos of which this page has read whether they are complete. */
  readonly #read = new Set<string>()
  #queue: Promise<void> = Promise.resolve()

  constructor(ports: FramePorts) {
    this.#ports = ports
  }

  /** Takes the frame of a video that was just picked. */
  take(media: Media, file: File): void {
    this.#tried.add(media.id)
    this.#add(media, async () => file)
  }

  /**
   * Takes the frame of a stored video without a complete frame and a length, once.
   * @param lost ids of media whose bytes can no longer become complete on this device
   */
  resume(rows: readonly Media[], lost: ReadonlySet<string>): void {
    const { frameId } = this.#ports.draft()
    const hasFrame = frameId !== null && !lost.has(frameId)
    for (const media of rows) {
      const isWhole = media.kind === 'video' && media.role === 'media' && media.bytes.is === 'stored'
      if (!isWhole || this.#tried.has(media.id)) continue
      if (media.duration !== null) this.#readAgain(media)
      if (media.duration !== null || hasFrame) continue
      this.#tried.add(media.id)
      this.#add(media, async () => {
        const bytes = await readWhole(media)
        return bytes && new File([bytes], media.name, { type: media.mime })
      })
    }
  }

  /** Reads of a video of an earlier visit whether it is complete. */
  #readAgain(media: Media): void {
    if (this.#read.has(media.id)) return
    this.#read.add(media.id)
    void this.#findCut(media).catch((error: unknown) => console.warn('the video was not read again', error))
  }

  async #findCut(media: Media): Promise<void> {
    const bytes = await readWhole(media)
    if (!bytes) return
    const { cut } = await filmOf(bytes)
    if (cut) this.#ports.cut(media.id, cut)
  }

  /** Resolves when no frame is being taken. */
  idle(): Promise<void> {
    return this.#queue
  }

  #add(media: Media, read: () => Promise<File | undefined>): void {
    this.#ports.taking(true)
    this.#queue = this.#queue
      .then(() => this.#take(media, read))
      // The video stays without a frame; the person can choose a thumbnail.
      .catch((error: unknown) => console.error('Upload error!', error))
      .finally(() => this.#ports.taking(false))
  }

  async #take(media: Media, read: () => Promise<File | undefined>): Promise<void> {
    const file = await read()
    if (!file) return
    const { duration, picture, cut } = await frameOf(file)
    this.#read.add(media.id)
    if (cut) this.#ports.cut(media.id, cut)
    // The video may have been removed, or its draft discarded.
    const isThere = (await listMedia(media.draftId)).some((row) => row.id === media.id)
    if (!isThere || this.#ports.draft().id !== media.draftId) return
    if (picture) await this.#ports.store(new File([picture], 'frame.jpg', { type: picture.type }))
    // The length is stored last, since it marks a video whose frame was taken.
    if (duration !== null) await setDuration(media.id, duration)
  }
}
