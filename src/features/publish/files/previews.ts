// Pictures of the files in the editor: object URLs of picked files, or of stored ones.
import { readWhole } from '#device/files/chunks.ts'
import { fileHeldHere } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'

export class Previews {
  readonly #urls = new Map<string, string>()
  readonly #reading = new Set<string>()
  readonly #arrived: () => void

  /** @param arrived called when a preview was read back from the device */
  constructor(arrived: () => void) {
    this.#arrived = arrived
  }

  /** An object URL, or null while there is none. */
  of(mediaId: string): string | null {
    return this.#urls.get(mediaId) ?? null
  }

  /** The picked file itself is the first preview. */
  keep(mediaId: string, file: Blob): void {
    this.#urls.set(mediaId, URL.createObjectURL(file))
  }

  /** Reads a complete file back from the device, once. */
  read(row: Media): void {
    // A video shows its frame.
    if (row.kind === 'video') return
    // Not before it is what is sent: a HEIC is no picture to most browsers.
    if (row.conversion.is !== 'ready') return
    if (this.#urls.has(row.id) || this.#reading.has(row.id)) return
    const picked = fileHeldHere(row.id)
    if (picked) {
      this.keep(row.id, picked)
      this.#arrived()
    }
    if (row.bytes.is !== 'stored') return
    this.#reading.add(row.id)
    void readWhole(row).then((blob) => {
      if (!blob || !this.#reading.delete(row.id)) return
      this.keep(row.id, blob)
      this.#arrived()
    })
  }

  clear(): void {
    for (const url of this.#urls.values()) URL.revokeObjectURL(url)
    this.#urls.clear()
    this.#reading.clear()
  }
}
