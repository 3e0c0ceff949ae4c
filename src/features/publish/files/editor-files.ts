// The files of the draft in the editor, as this page knows them.
import type { Draft, Media } from '#device/database/schema.ts'
import { itemOf, missingFrom, type EditorItem } from './editor-item.ts'
import type { EditorState } from '#src/features/publish/editor/editor-state.ts'
import { Previews } from './previews.ts'
import { isWaiting, problemsOf, type DraftProblems } from '#src/features/publish/editor/rules.ts'
import type { Room } from './storage-room.ts'

export class EditorFiles {
  #rows: readonly Media[] = []
  #lost: ReadonlySet<string> = new Set()
  /** Names of files that were in the draft, by their ids. */
  readonly #names = new Map<string, string>()
  readonly #rooms = new Map<string, Room>()
  readonly previews: Previews

  /** @param arrived called when a preview was read back from the device */
  constructor(arrived: () => void) {
    this.previews = new Previews(arrived)
  }

  get rows(): readonly Media[] {
    return this.#rows
  }

  /** Takes what was read from the device. */
  take(rows: readonly Media[], lost: ReadonlySet<string>): void {
    this.#rows = rows
    this.#lost = lost
    for (const row of rows) this.#names.set(row.id, row.name)
  }

  /** A file was added; a new thumbnail or frame takes the place of the old one. */
  add(media: Media): void {
    const stay = this.#rows.filter((row) => row.role !== media.role || row.role === 'media')
    this.take([...stay, media], this.#lost)
  }

  /** There was no room for a file on the device. */
  noRoom(mediaId: string, room: Room): void {
    this.#rooms.set(mediaId, room)
  }

  clear(): void {
    this.previews.clear()
    this.#names.clear()
    this.take([], new Set())
  }

  /** Whether a photo waits for its conversion. */
  isConverting(): boolean {
    return this.#rows.some((row) => isWaiting(row, this.#lost))
  }

  problemsOf(draft: Draft): DraftProblems {
    return problemsOf(draft, this.#rows, this.#lost)
  }

  /** The files of a draft as they are shown. */
  of(draft: Draft): Pick<EditorState, 'items' | 'missing' | 'thumbnail' | 'frame'> {
    const item = (id: string | null): EditorItem | null => {
      const media = this.#rows.find((row) => row.id === id)
      return media ? this.#item(media) : null
    }
    return {
      items: draft.mediaIds.flatMap((id) => item(id) ?? []),
      missing: missingFrom(draft, new Set(this.#rows.map((row) => row.id)), this.#names),
      thumbnail: item(draft.thumbnailId),
      frame: item(draft.frameId),
    }
  }

  #item(media: Media): EditorItem {
    return itemOf(media, {
      preview: this.previews.of(media.id),
      lost: this.#lost.has(media.id),
      free: this.#rooms.get(media.id)?.free,
    })
  }
}
