// Adds files to the draft, and copies them to the device.
import { newId } from '#contract/ids.ts'
import { copyFile } from '#device/files/import-file.ts'
import { addMedia, removeMedia, replaceMedia } from '#device/files/media.ts'
import { addPhotos, mostPhotoBytes, unhashed } from '#device/files/photos.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import type { StoredPick } from '#src/domain/media/prepare/prepare.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import type { Refused } from './intake.ts'
import { mediaRowOf } from './new-row.ts'
import { makeRoom, type Room } from '#src/domain/media/storage-room.ts'

/** The editor's functions that copying uses. */
export interface CopyPorts {
  draft: () => Draft
  /** Resolves when all changes are stored. */
  written: () => Promise<unknown>
  /** Makes the file's preview, since it is sent as it is. */
  preview: (mediaId: string, file: File) => void
  added: (draft: Draft, media: readonly Media[]) => void
  /** Called when a video was added to the draft. */
  picked: (media: Media, file: File) => void
  noRoom: (mediaId: string, room: Room) => void
  refuse: (refused: Refused) => void
  /** Called when a file was not stored completely. */
  ended: () => Promise<void>
}

export class FileCopies {
  readonly #ports: CopyPorts
  /** The copying of the last photo; originals are read one after the other. */
  #photo: Promise<void> = Promise.resolve()
  /** Files of this page, to be stored again after an eviction. */
  readonly #copiedFiles = new Map<string, { media: Media; file: File }>()
  readonly #restoring = new Set<string>()

  constructor(ports: CopyPorts) {
    this.#ports = ports
  }

  /** Resolves when the file's row is in the draft, and for a thumbnail or frame when it is complete. */
  async take(file: File, as: Pick<Media, 'kind' | 'role' | 'conversion'>): Promise<void> {
    const { kind, role, conversion } = as
    const isPhoto = conversion.is === 'pending'
    if (isPhoto) await this.#photo
    const room = await makeRoom(file.size)
    if (room && role === 'frame') return
    if (room && role === 'thumbnail') return this.#ports.refuse({ name: file.name, why: 'no_room', room })
    await this.#ports.written()
    const media = mediaRowOf(this.#ports.draft(), file, as)
    if (kind === 'image' && !isPhoto) this.#ports.preview(media.id, file)
    let copied: Promise<void> | undefined
    const isAdded = await new Promise<boolean>((resolve, reject) => {
      copied = this.#copy(media, file, room, async () => {
        const added = await this.#add(media, file)
        resolve(added)
        return added
      })
      copied.catch((error: unknown) => {
        console.error(error)
        reject(error)
      })
    })
    if (!isAdded) return
    if (role === 'media' && kind === 'video') this.#ports.picked(media, file)
    if (isPhoto && copied) this.#photo = copied.catch(() => undefined)
    if (role !== 'media') await copied
  }

  /**
   * Stores photos of the post whole, all at once, and begins their conversions.
   * @returns their rows in the order of the files; none when the draft can no longer change; `undefined` when they have to be taken one
   * by one, since there is no room for all, or one is unreadable
   */
  async takePhotos(draftId: string, photos: readonly StoredPick[]): Promise<Media[] | undefined> {
    const bytes = photos.reduce((sum, { file }) => sum + file.size, 0)
    if (bytes > (await mostPhotoBytes()) || (await makeRoom(bytes))) return undefined
    await this.#ports.written()
    const before = this.#ports.draft()
    if (before.id !== draftId) return []
    const picked = photos.map(({ file, conversion }, n) => {
      const row = mediaRowOf(before, file, { kind: 'image', role: 'media', conversion })
      // Conversions are in the order of these times.
      return { file, media: { ...row, bytes: unhashed, createdAt: row.createdAt + n } }
    })
    const draft = await addPhotos(before, picked, Date.now()).catch(notStored)
    if (draft === 'not stored') return undefined
    if (!draft) return []
    for (const { media, file } of picked)
      this.#copiedFiles.set(media.id, { media: { ...media, bytes: { is: 'copying', stored: 0 } }, file })
    const rows = picked.map(({ media }) => media)
    this.#ports.added(draft, rows)
    this.#convert(draft.ownerId)
    return rows
  }

  /** Stores an evicted file again, if this page added it. */
  restore(mediaId: string): void {
    const taken = this.#copiedFiles.get(mediaId)
    if (!taken || this.#restoring.has(mediaId) || taken.media.draftId !== this.#ports.draft().id) return
    this.#restoring.add(mediaId)
    const { file } = taken
    const media: Media = { ...taken.media, id: newId() }
    const replaceRow = async (): Promise<boolean> => {
      const draft = await replaceMedia(mediaId, media, Date.now())
      if (!draft) return false
      this.#copiedFiles.set(media.id, { media, file })
      if (media.kind === 'image' && media.conversion.is === 'ready') this.#ports.preview(media.id, file)
      this.#ports.added(draft, [media])
      return true
    }
    void makeRoom(file.size)
      .then((room) => this.#copy(media, file, room, replaceRow))
      .catch((error: unknown) => console.error('Upload error!', error))
      .finally(() => this.#restoring.delete(mediaId))
  }

  async #add(media: Media, file: File): Promise<boolean> {
    const draft = await addMedia(this.#ports.draft(), media, Date.now())
    if (!draft) return false
    this.#copiedFiles.set(media.id, { media, file })
    this.#ports.added(draft, [media])
    return true
  }

  async #copy(media: Media, file: File, room: Room | undefined, add: () => Promise<boolean>): Promise<void> {
    if (room) this.#ports.noRoom(media.id, room)
    const copying = copyFile(media, file, !room, add)
    // A lost frame is taken from its video again.
    const end = await (media.role === 'frame' ? copying : guardLeaving(copying))
    if (end.is === 'full' || end.is === 'unreadable') {
      const why = end.is === 'full' ? 'no_room' : 'unreadable'
      // No message for a frame, which the person did not pick.
      if (media.role !== 'frame') this.#ports.refuse({ name: file.name, why, ...(room ? { room } : {}) })
      // A full device may refuse the removal of the row, which is then shown as incomplete.
      const taken = removeMedia(this.#ports.draft(), media.id, Date.now())
      await taken.catch((error: unknown) => console.error('Upload error!', error))
    }
    if (end.is !== 'stored') await this.#ports.ended()
    if (media.conversion.is === 'ready' || end.is === 'removed') return
    this.#convert(media.ownerId)
  }

  #convert(ownerId: string): void {
    void convertPicked(ownerId).catch((error: unknown) => console.error('Upload error!', error))
  }
}

/** Photos are stored one by one after an error of the storage or of a file, which says then which one it was. */
function notStored(error: unknown): 'not stored' {
  if (!(error instanceof DOMException)) throw error
  return 'not stored'
}
