// Frames: takes the frame and the length of a draft's videos.
import { readWhole } from '#device/files/chunks.ts'
import { listMedia, setDuration } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { frameOf } from '#src/domain/media/prepare/video-frame.ts'

/** The editor's functions that frames use. */
export interface FramePorts {
  draft: () => Draft
  store: (picture: File) => Promise<void>
  /** Whether a frame is being taken. */
  taking: (is: boolean) => void
}

export class Frames {
  readonly #ports: FramePorts
  /** Ids of videos whose frame this page has taken or tried to take. */
  readonly #tried = new Set<string>()
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
    if (frameId !== null && !lost.has(frameId)) return
    for (const media of rows) {
      const isWhole = media.kind === 'video' && media.role === 'media' && media.bytes.is === 'stored'
      if (!isWhole || media.duration !== null || this.#tried.has(media.id)) continue
      this.#tried.add(media.id)
      this.#add(media, async () => {
        const bytes = await readWhole(media)
        return bytes && new File([bytes], media.name, { type: media.mime })
      })
    }
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
    const { duration, picture } = await frameOf(file)
    // The video may have been removed, or its draft discarded.
    const isThere = (await listMedia(media.draftId)).some((row) => row.id === media.id)
    if (!isThere || this.#ports.draft().id !== media.draftId) return
    if (picture) await this.#ports.store(new File([picture], 'frame.jpg', { type: picture.type }))
    // The length is stored last, since it marks a video whose frame was taken.
    if (duration !== null) await setDuration(media.id, duration)
  }
}
