// Planted faults of videos that follow their posts chunk by chunk.
import type { Fault } from '../fault.ts'

export const chunkFaults: readonly Fault[] = [
  {
    name: 'other bytes than were picked are released',
    file: 'server/modules/posts/release.ts',
    find: `  await checkDigest(deps, row)
`,
    replace: '',
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'other bytes than were picked',
  },
  {
    name: 'chunks with wrong bytes stay counted',
    file: 'server/modules/posts/release.ts',
    find: `  await resetChunks(deps.db, row.id)
  throw new ApiError('digest_mismatch'`,
    replace: "  throw new ApiError('digest_mismatch'",
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'other bytes than were picked',
  },
  {
    name: 'a release that comes too early loses the chunks',
    file: 'server/modules/posts/release.ts',
    find: `  if (row.received !== row.chunks) throw incomplete(row.id)
`,
    replace: '',
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'before its last chunk',
  },
  {
    name: 'a file that lost bytes is released',
    file: 'server/modules/posts/release.ts',
    find: '  if (!(await isWhole(deps, row))) {',
    replace: '  if (false as boolean) {',
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'bytes of its file were lost',
  },
  {
    name: 'the next chunk counts as received',
    file: 'server/modules/posts/chunks.ts',
    find: 'if (body.chunk < row.received) return row.received',
    replace: 'if (body.chunk <= row.received) return row.received',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'chunks in order make up',
  },
  {
    name: 'a chunk may be left out',
    file: 'server/modules/posts/chunks.ts',
    find: `    if (body.chunk > row.received) throw new ApiError('chunk_out_of_order')
`,
    replace: '',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'chunk_out_of_order',
  },
  {
    name: 'chunks are accepted after the release',
    file: 'server/modules/posts/chunks.ts',
    find: `  if (row.releasedAt !== null) throw new ApiError('conflict')
`,
    replace: '',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'after the release every chunk',
  },
  {
    name: 'chunks of another person are accepted',
    file: 'server/modules/posts/chunks.ts',
    find: "  if (row?.ownerId !== senderId) throw new ApiError('not_found')",
    replace: "  if (!row) throw new ApiError('not_found')",
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'another person and an unknown id',
  },
  {
    name: 'two requests write one chunk at once',
    file: 'server/modules/posts/chunks.ts',
    find: '  return withUploadLock(deps, body.file_id, async (hold) => {',
    replace:
      '  return (async (_a: unknown, _b: unknown, work: (it: UploadHold) => Promise<number>) => work({ waited: false, mustLast: () => undefined }))(deps, body.file_id, async (hold) => {',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'six times at once',
  },
  {
    name: 'the limit of a post leaves out its other files',
    file: 'server/modules/posts/chunks.ts',
    find: 'await checkUploadSize(deps, row.ownerId, end + otherBytes)',
    replace: 'await checkUploadSize(deps, row.ownerId, otherBytes < 0 ? 0 : end)',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'no more than 1 GiB',
  },
  {
    name: 'a chunk is counted before its bytes are written',
    file: 'server/modules/posts/chunks.ts',
    find: `  await orFromStart(deps, row.id, storage.uploadBytes.place(row.id, offset, file.path))
  const length = chunk === chunks - 1 ? end : null
`,
    replace: `  const length = chunk === chunks - 1 ? end : null
  await countChunk(db, row.id, { chunk, chunks, filename, length }, clock())
  await orFromStart(deps, row.id, storage.uploadBytes.place(row.id, offset, file.path))
  if (row) return chunk + 1
`,
    tests: ['server/modules/posts/chunk-writes.test.ts'],
    caughtBy: 'is not counted',
  },
  {
    name: 'bytes that another server counted are cut off',
    file: 'server/modules/posts/chunks.ts',
    find: `    if (error instanceof ApiError && error.code === 'storage_limit')
`,
    replace: '',
    tests: ['server/modules/posts/chunk-writes.test.ts'],
    caughtBy: 'another server counted first',
  },
  {
    name: 'bytes above the limit stay on the disk',
    file: 'server/modules/posts/chunks.ts',
    find: `      await storage.uploadBytes.cutAt(row.id, offset)
`,
    replace: `      void 0
`,
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'above the limit every upload is refused',
  },
  {
    name: 'chunks are not counted against the limit',
    file: 'server/modules/posts/chunks.ts',
    find: `      await checkStored(tx, row.ownerId, limits)
`,
    replace: `      void limits
`,
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'above the limit every upload is refused',
  },
  {
    name: 'pictures inside the request are not counted against the limit',
    file: 'server/modules/posts/add.ts',
    find: `  if (pieces.some((it) => it.inline)) await checkStored(tx, ownerId, limits)
`,
    replace: '',
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'above the limit every upload is refused',
  },
  {
    name: 'a server whose lock did not last places a chunk',
    file: 'server/modules/posts/chunks.ts',
    find: `  hold.mustLast()
`,
    replace: '',
    tests: ['server/modules/posts/chunk-writes.test.ts'],
    caughtBy: 'whose lock did not last',
  },
]
