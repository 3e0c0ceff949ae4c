// Previews of the files in the editor.
import { readWhole } from '#device/files/chunks.ts'
import { heldFile } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'
import type { PickedPreview } from '#src/domain/media/prepare/picture.ts'

export class Previews {
  readonly #made = new Map<string, PickedPreview>()
  readonly #making = new Set<string>()
  readonly #onMade: () => void

  /** @param onMade called when a preview was made */
  constructor(onMade: () => void) {
    this.#onMade = onMade
  }

  /** The preview of a file, or null while there is none. */
  of(mediaId: string): PickedPreview | null {
    return this.#made.get(mediaId) ?? null
  }

  /** Makes the preview of a picked file. */
  set(mediaId: string, file: Blob): void {
    void this.#make(mediaId, async () => file)
  }

  /** Makes the preview of a complete file, which is read from the device. */
  read(row: Media): void {
    // A video is shown by its frame.
    if (row.kind === 'video') return
    // A photo is shown after its conversion, since most browsers cannot decode HEIC.
    if (row.conversion.is !== 'ready') return
    const picked = heldFile(row.id)
    if (picked) this.set(row.id, picked)
    else if (row.bytes.is === 'stored') void this.#make(row.id, () => readWhole(row))
  }

  /** Makes a preview once. */
  async #make(mediaId: string, bytesOf: () => Promise<Blob | undefined>): Promise<void> {
    if (this.#made.has(mediaId) || this.#making.has(mediaId)) return
    this.#making.add(mediaId)
    const bytes = await bytesOf()
    if (!bytes) return
    const { previewOf } = await import('#src/domain/media/prepare/picture.ts')
    const preview = await previewOf(bytes)
    // The previews were cleared meanwhile.
    if (!this.#making.delete(mediaId)) return preview.release()
    this.#made.set(mediaId, preview)
    this.#onMade()
  }

  clear(): void {
    for (const preview of this.#made.values()) preview.release()
    this.#made.clear()
    this.#making.clear()
  }
}
