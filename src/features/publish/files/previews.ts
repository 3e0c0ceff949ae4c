// Previews of the files in the editor, as object URLs.
import { readWhole } from '#device/files/chunks.ts'
import { heldFile } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'

export class Previews {
  readonly #urls = new Map<string, string>()
  readonly #reading = new Set<string>()
  readonly #onRead: () => void

  /** @param onRead called when a preview was read from the device */
  constructor(onRead: () => void) {
    this.#onRead = onRead
  }

  /** An object URL, or null while there is none. */
  of(mediaId: string): string | null {
    return this.#urls.get(mediaId) ?? null
  }

  /** Sets the preview to a file. */
  set(mediaId: string, file: Blob): void {
    this.#urls.set(mediaId, URL.createObjectURL(file))
  }

  /** Reads the preview of a complete file from the device, once. */
  read(row: Media): void {
    // A video is shown by its frame.
    if (row.kind === 'video') return
    // A photo is shown after its conversion, since most browsers cannot decode HEIC.
    if (row.conversion.is !== 'ready') return
    if (this.#urls.has(row.id) || this.#reading.has(row.id)) return
    const picked = heldFile(row.id)
    if (picked) {
      this.set(row.id, picked)
      this.#onRead()
    }
    if (row.bytes.is !== 'stored') return
    this.#reading.add(row.id)
    void readWhole(row).then((blob) => {
      if (!blob || !this.#reading.delete(row.id)) return
      this.set(row.id, blob)
      this.#onRead()
    })
  }

  clear(): void {
    for (const url of this.#urls.values()) URL.revokeObjectURL(url)
    this.#urls.clear()
    this.#reading.clear()
  }
}
