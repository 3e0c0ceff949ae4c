// Takes: files on their way into the draft's rows and onto the device; photos are converted from there.
import { newId } from '#contract/ids.ts'
import { copyFile } from '#device/files/import-file.ts'
import { addMedia, removeMedia, replaceMedia } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import type { Refused } from './intake.ts'
import { mediaRowOf } from './new-row.ts'
import { makeRoom, type Room } from './storage-room.ts'

/** What the taking of files needs of its editor. */
export interface TakeDesk {
  draft: () => Draft
  /** Until every change so far is stored. */
  written: () => Promise<unknown>
  /** The file itself is what is sent and shown. */
  preview: (mediaId: string, file: File) => void
  added: (draft: Draft, media: Media) => void
  /** A video is in the draft. */
  picked: (media: Media, file: File) => void
  noRoom: (mediaId: string, room: Room) => void
  refuse: (refused: Refused) => void
  /** A file was not stored as a whole. */
  ended: () => Promise<void>
}

export class Takes {
  readonly #desk: TakeDesk
  /** The copying of the photo that was picked last: originals are read one after the other. */
  #photo: Promise<void> = Promise.resolve()
  /** What this page took, to store it again should the browser evict it. */
  readonly #taken = new Map<string, { media: Media; file: File }>()
  readonly #restoring = new Set<string>()

  constructor(desk: TakeDesk) {
    this.#desk = desk
  }

  /** Ends when the file's row is in the draft; a thumbnail or frame is whole then. */
  async take(file: File, as: Pick<Media, 'kind' | 'role' | 'conversion'>): Promise<void> {
    const { kind, role, conversion } = as
    const isPhoto = conversion.is === 'pending'
    if (isPhoto) await this.#photo
    const room = await makeRoom(file.size)
    if (room && role === 'frame') return
    if (room && role === 'thumbnail') return this.#desk.refuse({ name: file.name, why: 'no_room', room })
    await this.#desk.written()
    const media = mediaRowOf(this.#desk.draft(), file, as)
    if (kind === 'image' && !isPhoto) this.#desk.preview(media.id, file)
    let copied: Promise<void> | undefined
    const there = await new Promise<boolean>((tell, failed) => {
      copied = this.#copy(media, file, room, async () => {
        const added = await this.#add(media, file)
        tell(added)
        return added
      })
      copied.catch((error: unknown) => {
        console.error(error)
        failed(error)
      })
    })
    if (!there) return
    if (role === 'media' && kind === 'video') this.#desk.picked(media, file)
    if (isPhoto && copied) this.#photo = copied.catch(() => undefined)
    if (role !== 'media') await copied
  }

  /** Stores a file again whose row has gone from the device, where this page took it and can still read it. */
  restore(mediaId: string): void {
    const taken = this.#taken.get(mediaId)
    if (!taken || this.#restoring.has(mediaId) || taken.media.draftId !== this.#desk.draft().id) return
    this.#restoring.add(mediaId)
    const { file } = taken
    const media: Media = { ...taken.media, id: newId() }
    const put = async (): Promise<boolean> => {
      const draft = await replaceMedia(mediaId, media, Date.now())
      if (!draft) return false
      this.#taken.set(media.id, { media, file })
      if (media.kind === 'image' && media.conversion.is === 'ready') this.#desk.preview(media.id, file)
      this.#desk.added(draft, media)
      return true
    }
    void makeRoom(file.size)
      .then((room) => this.#copy(media, file, room, put))
      .catch((error: unknown) => console.error('Upload error!', error))
      .finally(() => this.#restoring.delete(mediaId))
  }

  async #add(media: Media, file: File): Promise<boolean> {
    const draft = await addMedia(this.#desk.draft(), media, Date.now())
    if (!draft) return false
    this.#taken.set(media.id, { media, file })
    this.#desk.added(draft, media)
    return true
  }

  async #copy(media: Media, file: File, room: Room | undefined, add: () => Promise<boolean>): Promise<void> {
    if (room) this.#desk.noRoom(media.id, room)
    const copying = copyFile(media, file, !room, add)
    // A frame is taken from its video again.
    const end = await (media.role === 'frame' ? copying : guardLeaving(copying))
    if (end.is === 'full' || end.is === 'unreadable') {
      const why = end.is === 'full' ? 'no_room' : 'unreadable'
      // The person did not request a frame.
      if (media.role !== 'frame') this.#desk.refuse({ name: file.name, why, ...(room ? { room } : {}) })
      // A full device may refuse even the removal of the row: it is then shown as incomplete.
      const taken = removeMedia(this.#desk.draft(), media.id, Date.now())
      await taken.catch((error: unknown) => console.error('Upload error!', error))
    }
    if (end.is !== 'stored') await this.#desk.ended()
    if (media.conversion.is === 'ready' || end.is === 'removed') return
    void convertPicked(media.ownerId).catch((error: unknown) => console.error('Upload error!', error))
  }
}
