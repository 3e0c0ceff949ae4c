// The parts of an upload that count, as the database has them.

/** A part of an upload that is stored. */
export interface UploadPart {
  /** From 1, in the order of the bytes. */
  readonly no: number
  /** Its first byte in the upload. */
  readonly start: number
  /** Its bytes; of a numbered part those that are stored, from its first one on. */
  readonly size: number
  /** By which an object store knows it, in quotes; '' on a disk, and for a numbered part that is not whole. */
  readonly etag: string
  /** Of its bytes, base64; '' where `etag` is. */
  readonly sha256: string
}

export interface StoredUpload {
  /** Whether its bytes are numbered parts, which arrive in any order. Then `stored` is 0 until they are one object. */
  readonly numbered: boolean
  /** Bytes that this store was given: those of the parts, then those of the tail. Another place may have others of a finished upload. */
  readonly stored: number
  /** All bytes of a finished upload; null while it is not finished. */
  readonly finished: number | null
  /** By which the store knows the upload; null before its first part and once it is an object. */
  readonly storeId: string | null
  /** Bytes at the end that are too few for a part: an object of their own, `{prefix}/{id}.tail.{stored}`. */
  readonly tailSize: number
  /** In the order of their numbers. */
  readonly parts: readonly UploadPart[]
}

/** The functions of the database that a store of parts needs. Each change is refused when `stored` is another one than expected. */
export interface UploadParts {
  find(id: string): Promise<StoredUpload | undefined>
  /** Those of some uploads whose last byte has not arrived. An upload without a row is not among them. */
  unfinishedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Stores the store's id. @returns false when there is one, the upload is finished, or other bytes were stored meanwhile */
  begin(id: string, expected: number, storeId: string): Promise<boolean>
  /** Adds a part that takes the place of the tail. @returns false when other bytes were stored meanwhile */
  add(id: string, expected: number, part: UploadPart): Promise<boolean>
  /** Stores that a tail follows the parts. @returns false when other bytes were stored meanwhile */
  setTail(id: string, expected: number, size: number): Promise<boolean>
  /**
   * Stores that the bytes end at an offset, without a tail: parts that begin there or later are forgotten.
   * @returns false when other bytes were stored meanwhile
   */
  endAt(id: string, expected: number, offset: number): Promise<boolean>
  /**
   * Stores that the upload is an object, which has no parts and no tail any more.
   * Nothing changes when the upload has another store's id meanwhile.
   * @param digest its composite SHA-256, where it is known
   */
  completed(id: string, storeId: string | null, digest: string | undefined): Promise<void>
  /**
   * Changes an upload to numbered parts: those that it has, and others.
   * @param parts what is stored besides
   * @returns false when other bytes were stored meanwhile, or it has numbered parts already
   */
  number(id: string, expected: number, parts: readonly UploadPart[]): Promise<boolean>
  /**
   * Stores how many bytes a numbered part has.
   * @returns false when it has as many, or the upload is finished, has another store's id, or has no numbered parts
   */
  keep(id: string, storeId: string | null, part: UploadPart): Promise<boolean>
  /** Stores that there are no bytes. @returns false when others were stored, or the upload was completed, meanwhile */
  lose(id: string, expected: number, storeId: string | null): Promise<boolean>
  /** Stores that there are no bytes, where the upload is one of this store. */
  clear(id: string): Promise<void>
}

const without = () => Promise.reject(new Error('no upload grows without the database'))

/** For programs that read and write whole objects while they have no database. */
export const noParts: UploadParts = {
  find: () => Promise.resolve(undefined),
  unfinishedAmong: () => Promise.resolve(new Set()),
  begin: without,
  add: without,
  setTail: without,
  endAt: without,
  completed: without,
  number: without,
  keep: without,
  lose: without,
  clear: () => Promise.resolve(),
}
