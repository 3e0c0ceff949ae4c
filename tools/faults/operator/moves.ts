// Planted faults in uploads during a move of objects.
import type { Fault } from '../fault.ts'

const uploads = ['server/modules/uploads/while-moved.long.test.ts']
const chunks = ['server/adapters/files/moving/moving-upload-bytes.test.ts']
const lost = ['server/adapters/s3/lost-objects.test.ts']
const move = 'server/adapters/files/moving/move.ts'
const bytes = 'server/adapters/files/moving/moving-upload-bytes.ts'
const inStore = 'server/adapters/s3/s3-upload-bytes.ts'

export const moveFaults: readonly Fault[] = [
  {
    name: 'a completion makes an empty object of lost bytes',
    file: 'server/adapters/s3/upload-objects.ts',
    find: '    if (size > 0) await this.lose(id, upload)\n',
    replace: '',
    tests: lost,
    caughtBy: 'has no object after a completion',
  },
  {
    name: 'parts of an earlier move take the place of a finished object',
    file: inStore,
    find: 'if (!hasPieces || upload.stored !== size) return',
    replace: 'if (!hasPieces) return',
    tests: lost,
    caughtBy: 'stays the object that is there',
  },
  {
    name: 'HEAD during a move hides a finished upload',
    file: bytes,
    find: 'return (await unmovedSize(id)) ?? present.bytes.offsetOf(id)',
    replace: 'return present.bytes.offsetOf(id)',
    tests: uploads,
    caughtBy: 'HEAD and an empty PATCH of a finished upload',
  },
  {
    name: 'a release during a move takes a finished video for lost',
    file: bytes,
    find: 'if ((await unmovedSize(id)) === undefined) await present',
    replace: 'await present',
    tests: uploads,
    caughtBy: 'a finished video in numbered chunks is released',
  },
  {
    name: 'bytes of an upload that begins again stay where they were before a move',
    file: bytes,
    find: '      if (offset === 0 && (await finishedSize(id)) === undefined) await earlier.bytes.remove(id)\n',
    replace: '',
    tests: uploads,
    caughtBy: 'leaves nothing in the earlier place',
  },
  {
    name: 'an upload that is removed during a move stays in the earlier place',
    file: bytes,
    find: '    async remove(id) {\n      await earlier.bytes.remove(id)\n',
    replace: '    async remove(id) {\n',
    tests: uploads,
    caughtBy: 'is in neither place',
  },
  {
    name: 'a chunk after missing ones is stored behind a hole',
    file: 'server/adapters/files/upload-bytes.ts',
    find: 'if (offset > 0 && (await sizeOf(fileOf(id))) < offset) throw lost(id)',
    replace: '',
    tests: uploads,
    caughtBy: 'begins again, without a hole',
  },
  {
    name: 'a move takes uploads that are not finished',
    file: move,
    find: 'yield* page.filter((key) => !unfinished.has(nameOf(key)))',
    replace: 'yield* page.filter((key) => !unfinished.has(key))',
    tests: uploads,
    caughtBy: 'is not moved, and removed where it was',
  },
  {
    name: 'a move that takes its copy back removes the parts that were sent meanwhile',
    file: move,
    find: 'if (isOfUploads(prefixOf(key))) await presentPlace',
    replace: "if (prefixOf(key) === 'exports') await presentPlace",
    tests: chunks,
    caughtBy: 'the move has put the earlier bytes are those that stay',
  },
  {
    name: 'a move that takes its copy back removes the chunk that was stored into it',
    file: bytes,
    find: '        await present.bytes.remove(id)\n',
    replace: '',
    tests: chunks,
    caughtBy: 'the move has put the earlier bytes are those that stay',
  },
  {
    name: 'a move ends when a file is removed while it is read',
    file: move,
    find: "if (isMissing(error)) return 'again'",
    replace: "if (error instanceof TypeError) return 'again'",
    tests: chunks,
    caughtBy: 'that are removed while their earlier bytes are read',
  },
  {
    name: 'the check of the storage leaves parts and tails of an upload without a row',
    file: 'server/adapters/s3/s3-storage.ts',
    find: '    removeFolder: async (key) => bytes.remove(idOf(checkKey(key))),\n',
    replace: '',
    tests: ['server/storage-check-s3.test.ts'],
    caughtBy: 'removes it with its parts and its tail',
  },
]
