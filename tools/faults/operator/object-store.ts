// Planted faults in objects of an S3 store.
import type { Fault } from '../fault.ts'

const unstable = ['server/adapters/s3/s3-objects.test.ts']
const stores = ['server/adapters/files/object-store.test.ts']
const moves = ['server/adapters/files/moving/moving-objects.test.ts']
const ranges = ['server/modules/media/ranges.test.ts']
const objectRanges = 'server/adapters/s3/ranges.ts'
const objects = 'server/adapters/s3/s3-objects.ts'
const parts = 'server/adapters/s3/s3-upload-bytes.ts'
const uploadObjects = 'server/adapters/s3/upload-objects.ts'
const uploadParts = ['server/adapters/s3/s3-upload-bytes.test.ts']

export const objectStoreFaults: readonly Fault[] = [
  {
    name: 'identity documents are in the bucket of media',
    file: 'server/adapters/s3/s3-storage.ts',
    find: 'bucketOf(settings.identityBucket)',
    replace: 'bucketOf(settings.bucket)',
    tests: ['server/modules/identity/on-s3.test.ts'],
    caughtBy: 'in the bucket of identity documents alone',
  },
  {
    name: 'a store that is gone is an error of the server',
    file: 'server/http/errors.ts',
    find: "  if (isStoreGone(error)) return new Gone('object store')\n",
    replace: '',
    tests: ['server/http/store-gone.test.ts'],
    caughtBy: 'to a store that is not there',
  },
  {
    name: 'readers have connections of uploads',
    file: 'server/adapters/s3/bucket.ts',
    find: 'await reading.send(new GetObjectCommand(request))',
    replace: 'await client.send(new GetObjectCommand(request))',
    tests: unstable,
    caughtBy: 'while readers that do not go on',
  },
  {
    name: 'a read goes on with the bytes of another object',
    file: objects,
    find: '    etag = opened.etag\n',
    replace: '',
    tests: unstable,
    caughtBy: 'a read does not go on with other bytes',
  },
  {
    name: 'a read that goes on begins at the first byte again',
    file: objects,
    find: '        at += bytes.length\n',
    replace: '',
    tests: unstable,
    caughtBy: 'goes on where it ended',
  },
  {
    name: 'a local copy stays after its work',
    file: objectRanges,
    find: '    await scratch.remove(file)\n',
    replace: '',
    tests: unstable,
    caughtBy: 'a local copy is gone after its work',
  },
  {
    name: 'the kind of a large upload is read from a copy of it',
    file: objectRanges,
    find: 'const RANGES = 16\n',
    replace: 'const RANGES = 1\n',
    tests: unstable,
    caughtBy: 'is known from a few ranges',
  },
  {
    name: 'a range that is known is taken from its beginning',
    file: objectRanges,
    find: 'found.bytes.subarray(offset - found.start, offset - found.start + length)',
    replace: 'found.bytes.subarray(0, length)',
    tests: unstable,
    caughtBy: 'are read from a copy',
  },
  {
    name: 'the store does not compare the digest of a part',
    file: 'server/adapters/s3/digests.ts',
    find: "sha256.toString('hex')",
    replace: "'UNSIGNED-PAYLOAD'",
    tests: unstable,
    caughtBy: 'is refused by the store',
  },
  {
    name: 'parts of a file that could not be stored stay in the store',
    file: 'server/adapters/s3/put-file.ts',
    find: '    await bucket.abort(key, id).catch(() => undefined)\n',
    replace: '',
    tests: unstable,
    caughtBy: 'no part stays in the store',
  },
  {
    name: 'a missing bucket counts as a missing object',
    file: 'server/adapters/s3/bucket.ts',
    find: " && (error as Error).name !== 'NoSuchBucket'",
    replace: '',
    tests: unstable,
    caughtBy: 'a bucket that does not exist',
  },
  {
    name: 'objects of a folder that is replaced stay',
    file: objects,
    find: 'page.filter((it) => !present.has(it))',
    replace: 'page.filter((it) => it === undefined)',
    tests: stores,
    caughtBy: 'a folder replaces all objects below its key',
  },
  {
    name: 'removing a folder removes those of others',
    file: objects,
    find: 'for await (const page of bucket.keys(`${nameOf(key)}/`)) await bucket.remove(page)',
    replace: 'for await (const page of bucket.keys(root)) await bucket.remove(page)',
    tests: stores,
    caughtBy: 'removing a folder removes all objects below its key, and no other',
  },
  {
    name: 'a streamed range ends one byte early',
    file: 'server/services/media/send-stream.ts',
    find: 'Math.min(size, Number(last) + 1)',
    replace: 'Math.min(size, Number(last))',
    tests: ranges,
    caughtBy: 'is sent with its position in the file',
  },
  {
    name: 'a part counts before the store has it',
    file: parts,
    find: '    const part = await this.#objects.putPart(id, { ...upload, storeId }, { no, start, bytes })\n',
    replace: `    const counted = { no, start, size: bytes.length, etag: '', sha256: '' }
    await this.#objects.rows.add(id, upload.stored, counted)
    const part = await this.#objects.putPart(id, { ...upload, storeId }, { no, start, bytes })
`,
    tests: uploadParts,
    caughtBy: 'survive a process that ends',
  },
  {
    name: 'the earlier tail is removed before the next one counts',
    file: parts,
    find: '    await this.#objects.bucket.put(this.#objects.tailOf(id, stored), bytes)\n',
    replace: `    if (upload.tailSize > 0) await this.#objects.removeTail(id, upload.stored)
    await this.#objects.bucket.put(this.#objects.tailOf(id, stored), bytes)
`,
    tests: uploadParts,
    caughtBy: 'survive a process that ends',
  },
  {
    name: 'bytes after a part that the store refused take its place',
    file: parts,
    find: '    for await (const piece of untilLost(pieces, (error) => losses.push(error))) {\n      waiting.add(piece)\n      for (let bytes = waiting.takePart(); bytes; bytes = waiting.takePart())\n        upload = await this.#addPart(id, upload, bytes)\n',
    replace:
      '    for await (const piece of untilLost(pieces, (error) => losses.push(error))) {\n      waiting.add(piece)\n      for (let bytes = waiting.takePart(); bytes; bytes = waiting.takePart())\n        upload = await this.#addPart(id, upload, bytes).catch((error: unknown) => (losses.push(error), upload))\n',
    tests: uploadParts,
    caughtBy: 'those after it do not take its place',
  },
  {
    name: 'the bytes before a lost connection are sent again',
    file: parts,
    find: '    upload = await this.#addRest(id, upload, length, waiting.rest())\n    if (losses.length > 0) throw losses[0]\n',
    replace:
      '    if (losses.length > 0) throw losses[0]\n    upload = await this.#addRest(id, upload, length, waiting.rest())\n',
    tests: uploadParts,
    caughtBy: 'of a request whose connection is lost stay',
  },
  {
    name: 'bytes count though others were stored meanwhile',
    file: 'server/store/media/upload-parts.ts',
    find: 'and(eq(uploads.id, id), eq(uploads.stored, expected))',
    replace: 'and(eq(uploads.id, id), eq(uploads.id, id), sql`${expected}::bigint is not null`)',
    tests: ['server/store/media/upload-parts.test.ts'],
    caughtBy: 'refused when other bytes were stored meanwhile',
  },
  {
    name: 'parts that the store has lost are an error for ever',
    file: uploadObjects,
    find: '    if ((await this.sizeOf(id)) !== size) await this.lose(id, upload)\n',
    replace: "    throw new Error('the store has lost parts')\n",
    tests: uploadParts,
    caughtBy: 'whose part was',
  },
  {
    name: 'a late server removes the upload that another one has completed',
    file: uploadObjects,
    find: '    if (!(await this.rows.lose(id, upload.stored, upload.storeId))) throw overtaken()\n',
    replace: '    await this.rows.clear(id)\n    await this.bucket.remove([this.nameOf(id)])\n',
    tests: uploadParts,
    caughtBy: 'stay when a caller whose lock did not last goes on',
  },
  {
    name: 'the parts of a removed upload stay in the store',
    file: parts,
    find: '      for (const it of page) await bucket.abort(it.key, it.id)\n',
    replace: '      void page\n',
    tests: ['server/modules/uploads/on-s3.test.ts'],
    caughtBy: 'leaves neither parts nor tail',
  },
  {
    name: 'the digest is that of parts of any size',
    file: uploadObjects,
    find: '  if (parts.length === 0 || !areLeaves) return undefined\n',
    replace: '  if (parts.length === 0 || (!areLeaves && parts.length > 99)) return undefined\n',
    tests: uploadParts,
    caughtBy: 'in numbered chunks can be sent again',
  },
  {
    name: 'a moved object is brought back after its removal',
    file: 'server/adapters/files/moving/move.ts',
    find: '  if (await presentPlace.isMarked(key, mark)) await takeBack(ends, key)\n',
    replace: '',
    tests: moves,
    caughtBy: 'are not brought back',
  },
  {
    name: 'a move removes the newer object that took the place of its own',
    file: 'server/adapters/files/moving/move.ts',
    find: 'if (await presentPlace.isMarked(key, mark)) await',
    replace: 'if (mark) await',
    tests: moves,
    caughtBy: 'stay when a newer one takes their place',
  },
  {
    name: 'a move does not see that an object changed meanwhile',
    file: 'server/adapters/files/moving/move.ts',
    find: 'const isUnchanged = (await earlier.factsOf(key))?.etag === before.etag',
    replace: 'const isUnchanged = before.etag !== undefined',
    tests: moves,
    caughtBy: 'are moved as they are at the end',
  },
  {
    name: 'a move writes over the object that a server wrote',
    file: 'server/adapters/s3/s3-place.ts',
    find: "IfNoneMatch: '*', ",
    replace: '',
    tests: ['server/adapters/s3/s3-place.test.ts'],
    caughtBy: 'is not put where there is one',
  },
  {
    name: 'what was written again stays in the earlier place',
    file: 'server/adapters/files/moving/moving-objects.ts',
    find: "    await present.put(key, file)\n    await earlier.remove(key, 'at_once')\n",
    replace: '    await present.put(key, file)\n',
    tests: moves,
    caughtBy: 'stay when a newer one takes their place',
  },
  {
    name: 'objects of the earlier place are not found',
    file: 'server/adapters/files/moving/moving-objects.ts',
    find: 'if (error instanceof NoObject && index < stores.length - 1) continue',
    replace: '',
    tests: stores,
    caughtBy: 'bytes are read as they were stored',
  },
]
