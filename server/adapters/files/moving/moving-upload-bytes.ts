// Bytes of uploads while objects are moved: they grow in the present place alone.
import type { PartBytes } from '#server/adapters/files/part-bytes.ts'
import { LostBytes, mustBeEmpty, type UploadBytes } from '#server/adapters/files/upload-bytes.ts'

/** One of the two places, as far as it has bytes of uploads. */
interface UploadPlace {
  readonly bytes: UploadBytes
  /** Size of the object of an upload, bytes; undefined when there is none. */
  sizeOf(id: string): Promise<number | undefined>
}

interface UploadPlaces {
  /** Where bytes are stored. */
  readonly present: UploadPlace
  /** Where they were stored before. */
  readonly earlier: UploadPlace
  /** Bytes of a finished upload; undefined for one that is not finished, or without a row. */
  finishedSize(id: string): Promise<number | undefined>
}

/**
 * An upload that is finished may still be in the earlier place alone: nothing is made of it in the present one, which would hide it. An
 * upload that is not finished begins again in the present place, and has no bytes in the earlier one from then on.
 */
export function createMovingUploadBytes({ present, earlier, finishedSize }: UploadPlaces): UploadBytes {
  /** The size of a finished upload whose bytes are not moved yet. */
  const unmovedSize = async (id: string): Promise<number | undefined> => {
    const size = await finishedSize(id)
    if (size === undefined || (await present.sizeOf(id)) !== undefined) return undefined
    // A move that has ended meanwhile has removed the earlier object.
    return (await earlier.sizeOf(id)) === size ? size : undefined
  }
  return {
    async create(id) {
      // Of an earlier upload with this id, whose removal was interrupted.
      await earlier.bytes.remove(id)
      if ((await present.sizeOf(id)) !== undefined) await present.bytes.remove(id)
      await present.bytes.create(id)
    },
    async offsetOf(id) {
      return (await unmovedSize(id)) ?? present.bytes.offsetOf(id)
    },
    async append(id, offset, length, pieces) {
      const size = await unmovedSize(id)
      if (size !== undefined) {
        await mustBeEmpty(pieces)
        return size
      }
      if (offset === 0 && (await finishedSize(id)) === undefined) await earlier.bytes.remove(id)
      return present.bytes.append(id, offset, length, pieces)
    },
    async place(id, offset, file) {
      if (offset === 0) {
        await earlier.bytes.remove(id)
        // A move that has just put the bytes of before may still take them back: it must not find these ones in their file.
        await present.bytes.remove(id)
      }
      await present.bytes.place(id, offset, file)
    },
    cutAt: (id, length) => present.bytes.cutAt(id, length),
    async complete(id) {
      if ((await unmovedSize(id)) === undefined) await present.bytes.complete(id)
    },
    async remove(id) {
      await earlier.bytes.remove(id)
      await present.bytes.remove(id)
    },
  }
}

/** Numbered parts: those of the earlier place are lost, and arrive again in the present one. */
export function createMovingPartBytes(present: PartBytes, earlier: Pick<UploadBytes, 'remove'>): PartBytes {
  /** Removes the bytes of the earlier place once the present one has none of them. */
  async function unlessLost<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof LostBytes) await earlier.remove(id)
      throw error
    }
  }
  return {
    async number(id) {
      await earlier.remove(id)
      await present.number(id)
    },
    storedOf: (id) => present.storedOf(id),
    write: (part, stored, pieces) => unlessLost(part.id, () => present.write(part, stored, pieces)),
    complete: (id) => unlessLost(id, () => present.complete(id)),
  }
}
