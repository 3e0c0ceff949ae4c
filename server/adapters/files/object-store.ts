// Stored objects: whole files named by keys, which never change once stored.
import type { ByteSource } from '#contract/kinds/file-bytes.ts'

/** First part of a key; each has objects of one kind. */
export const prefixes = ['uploads', 'identity-uploads', 'media', 'identity', 'exports', 'erasures'] as const
export type Prefix = (typeof prefixes)[number]

/** Prefixes of uploads, whose bytes grow. */
export type UploadPrefix = Extract<Prefix, 'uploads' | 'identity-uploads'>

/**
 * Names an object: `uploads/{id}` the bytes of a finished upload, `identity-uploads/{id}` those of one for an identity check, which are
 * not sealed yet, `media/{id}/{name}` a file made from an upload, `identity/{id}` a sealed document, `exports/{id}.zip` the export of a person's data, `erasures/{kind}.{id}` what was erased for good.
 */
export type ObjectKey = `${Prefix}/${string}`

/** The prefix of a key. */
export const prefixOf = (key: ObjectKey): Prefix => key.slice(0, key.indexOf('/')) as Prefix

/** Bytes from `start` to before `end`. */
export interface ObjectPart {
  readonly start: number
  readonly end: number
}

/** What the headers of a reply say of an object. */
export interface ObjectFacts {
  /** Bytes. */
  readonly size: number
  /** Differs for other bytes; in quotes, as in the header `ETag`. */
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/** An object with its size in bytes and its tag (`ObjectFacts`). */
export interface StoredObject extends Pick<ObjectFacts, 'size' | 'etag'> {
  readonly key: ObjectKey
}

/** A name below a prefix: of an object, or the first part of the names of several. */
export interface ListedName {
  readonly name: string
  /** Milliseconds since 1970; undefined when it was removed meanwhile. */
  modifiedAt(): Promise<number | undefined>
}

/** There is no object with the key. The code is that of a missing file. */
export class NoObject extends Error {
  readonly code = 'ENOENT'

  constructor(key: ObjectKey) {
    super(`there is no object ${key}`)
    this.name = 'NoObject'
  }
}

/**
 * Guards a key that a caller made of ids and names without a check.
 * @returns the key
 * @throws TypeError for a key that could name another object
 */
export function checkKey(key: ObjectKey): ObjectKey {
  if (key.split('/').some((it) => it === '' || it === '.' || it === '..'))
    throw new TypeError(`not a key of an object: ${key}`)
  return key
}

/**
 * When an object is removed: at once, or once no backup needs it. `ownerId` says whose it was where the row that said so is deleted
 * already.
 */
export type When = 'at_once' | { readonly ownerId: string }

/** A signed request for one object, which a proxy sends to the store without a key of its own. */
export interface SignedRead {
  /** Path on the store, percent-encoded, such as `/bucket/media/{id}/play.mp4`. */
  readonly path: string
  /** Value of the header `Authorization`. */
  readonly authorization: string
  /** Value of the header `X-Amz-Date`. */
  readonly date: string
}

export interface ObjectStore {
  /** Path of the object's own file, whether or not there is one; undefined in a store without files. */
  pathOf(key: ObjectKey): string | undefined
  /** Signs a request for the object, whether or not there is one; undefined where a proxy cannot read it from one store. */
  signedRead(key: ObjectKey): Promise<SignedRead | undefined>
  /** Undefined when there is no object. */
  factsOf(key: ObjectKey): Promise<ObjectFacts | undefined>
  /** Size in bytes; undefined when there is no object. */
  sizeOf(key: ObjectKey): Promise<number | undefined>
  /**
   * Reads an object's bytes.
   * @param part the bytes to read, fewer when the object ends before; all by default
   * @throws NoObject
   */
  read(key: ObjectKey, part?: ObjectPart): AsyncGenerator<Buffer, void>
  /**
   * Runs work on a local file with an object's bytes, which the work must not change.
   * @throws NoObject
   */
  withLocal<T>(key: ObjectKey, work: (file: string) => Promise<T>): Promise<T>
  /**
   * Runs work that reads few of an object's bytes, at any offset.
   * @throws NoObject
   */
  withBytes<T>(key: ObjectKey, work: (source: ByteSource) => Promise<T>): Promise<T>
  /** The composite SHA-256 of an object. @throws NoObject */
  digestOf(key: ObjectKey): Promise<string>
  /** Stores a temporary file, which is gone afterwards; durable when it returns. */
  put(key: ObjectKey, file: string): Promise<void>
  /** Replaces all objects below a key by the files of a temporary folder. They can be made again, so they are not durable at once. */
  putFolder(key: ObjectKey, folder: string): Promise<void>
  /** Adds the files of a temporary folder below a key; the one named `last` after the others. They can be made again too. */
  addFolder(key: ObjectKey, folder: string, last: string): Promise<void>
  /** Removes an object, if there is one; once no backup needs it, or `at_once`. */
  remove(key: ObjectKey, when?: When): Promise<void>
  /** Removes all objects below a key; once no backup needs them, or `at_once`. */
  removeFolder(key: ObjectKey, when?: When): Promise<void>
  /** All objects below a key, such as the files made from an upload. */
  below(key: ObjectKey): AsyncGenerator<StoredObject, void>
  /** Names directly below a prefix, some hundred at once. Those that wait for their removal are not among them. */
  list(prefix: Prefix): AsyncGenerator<readonly ListedName[], void>
  /** Writes, reads and removes a small object, or throws. */
  probe(): Promise<void>
}
