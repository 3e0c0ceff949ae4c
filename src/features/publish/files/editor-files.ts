// The files of the draft in the editor, with their previews.
import type { Draft, Media } from '#device/database/schema.ts'
import type { Cut } from '#src/domain/media/film/film-facts.ts'
import { itemOf, missingFrom, type EditorItem } from './editor-item.ts'
import type { EditorState } from '#src/features/publish/editor/editor-state.ts'
import { Previews } from './previews.ts'
import { isWaiting, problemsOf, type DraftProblems } from '#src/features/publish/editor/rules.ts'
import type { Room } from '#src/domain/media/storage-room.ts'

export class EditorFiles {
  #rows: readonly Media[] = []
  #lost: ReadonlySet<string> = new Set()
  /** Names of files that were in the draft, by their ids. */
  readonly #names = new Map<string, string>()
  readonly #rooms = new Map<string, Room>()
  readonly #cuts = new Map<string, Cut>()
  readonly #changed: () => void
  readonly previews: Previews

  /** @param changed called when something was read from a file: its preview, or that it is not complete */
  constructor(changed: () => void) {
    this.#changed = changed
    this.previews = new Previews(changed)
  }

  get rows(): readonly Media[] {
    return this.#rows
  }

  /** Sets the rows that were read from the device. */
  setRows(rows: readonly Media[], lost: ReadonlySet<string>): void {
    this.#rows = rows
    this.#lost = lost
    for (const row of rows) this.#names.set(row.id, row.name)
  }

  /** Adds a file; a new thumbnail or frame replaces the old one. */
  add(media: Media): void {
    const others = this.#rows.filter((row) => row.role !== media.role || row.role === 'media')
    this.setRows([...others, media], this.#lost)
  }

  /** Records that the device had no room for a file. */
  noRoom(mediaId: string, room: Room): void {
    this.#rooms.set(mediaId, room)
  }

  /** Records that a video ends long before the end in its index. */
  cut(mediaId: string, cut: Cut): void {
    this.#cuts.set(mediaId, cut)
    this.#changed()
  }

  clear(): void {
    this.previews.clear()
    this.#names.clear()
    this.setRows([], new Set())
  }

  /** Whether a photo waits for its conversion. */
  isConverting(): boolean {
    return this.#rows.some((row) => isWaiting(row, this.#lost))
  }

  problemsOf(draft: Draft): DraftProblems {
    return problemsOf(draft, this.#rows, this.#lost)
  }

  /** The files of a draft as the editor shows them. */
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
      cut: this.#cuts.get(media.id) ?? null,
    })
  }
}
