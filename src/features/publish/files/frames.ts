// Frames: the picture and the length of a draft's videos, also of one whose page was left before it was taken.
import { readWhole } from '#device/files/chunks.ts'
import { listMedia, setDuration } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { frameOf } from '#src/domain/media/prepare/video-frame.ts'

/** What the frames need of their editor. */
export interface FrameDesk {
  draft: () => Draft
  keep: (picture: File) => Promise<void>
  /** Whether a frame is being taken. */
  taking: (is: boolean) => void
}

export class Frames {
  readonly #desk: FrameDesk
  /** Videos whose frame was taken here, or tried to be. */
  readonly #tried = new Set<string>()
  #turn: Promise<void> = Promise.resolve()

  constructor(desk: FrameDesk) {
    this.#desk = desk
  }

  /** Takes the frame of a video that was just picked. */
  take(media: Media, file: File): void {
    this.#tried.add(media.id)
    this.#add(media, async () => file)
  }

  /**
   * Takes the frame of a stored video that has neither a whole frame nor a length yet, once.
   * @param lost ids of media whose bytes can no longer become complete on this device
   */
  resume(rows: readonly Media[], lost: ReadonlySet<string>): void {
    const { frameId } = this.#desk.draft()
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

  /** Until no frame is being taken. */
  settled(): Promise<void> {
    return this.#turn
  }

  #add(media: Media, read: () => Promise<File | undefined>): void {
    this.#desk.taking(true)
    this.#turn = this.#turn
      .then(() => this.#take(media, read))
      // The video stays without it: the row offers to choose a picture.
      .catch((error: unknown) => console.error('Upload error!', error))
      .finally(() => this.#desk.taking(false))
  }

  async #take(media: Media, read: () => Promise<File | undefined>): Promise<void> {
    const file = await read()
    if (!file) return
    const { duration, picture } = await frameOf(file)
    // The video was taken out, or its draft discarded, in the meantime.
    const isThere = (await listMedia(media.draftId)).some((row) => row.id === media.id)
    if (!isThere || this.#desk.draft().id !== media.draftId) return
    if (picture) await this.#desk.keep(new File([picture], 'frame.jpg', { type: picture.type }))
    // The length is stored last: a video with a length was measured to the end and is not measured again.
    if (duration !== null) await setDuration(media.id, duration)
  }
}
