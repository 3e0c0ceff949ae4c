// Planted faults of adding, releasing and withdrawing posts.
import type { Fault } from './fault.ts'

export const postFaults: readonly Fault[] = [
  {
    name: 'pictures of a repeated request stay on the disk',
    file: 'server/modules/posts/add.ts',
    find: `    if (!done.fresh) await takeBack()
`,
    replace: '',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'leave one picture behind',
  },
  {
    name: 'a repeated request is checked anew',
    file: 'server/modules/posts/add.ts',
    find: 'adding.key === undefined ? undefined : await findPostByKey(deps.db, adding.authorId, adding.key)',
    replace: 'undefined as string | undefined',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'a repeat is answered as the first was',
  },
  {
    name: 'one person’s key finds another person’s post',
    file: 'server/store/posts.ts',
    find: '    .where(and(eq(posts.authorId, authorId), eq(posts.idempotencyKey, key)))',
    replace: '    .where(eq(posts.idempotencyKey, key))',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'same key is another post',
  },
  {
    name: 'followers are notified at each repeated release',
    file: 'server/modules/posts/release.ts',
    find: 'if (!it?.fresh) return it',
    replace: 'if (!it) return it',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'released twenty times at once',
  },
  {
    name: 'a repeated release moves the moment of the release',
    file: 'server/store/posts.ts',
    find: '.where(and(mine, isNull(posts.releasedAt)))',
    replace: '.where(mine)',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'released twenty times at once',
  },
  {
    name: 'a late request makes a withdrawn post again',
    file: 'server/modules/posts/add.ts',
    find: `    if (key !== undefined && (await isWithdrawn(tx, authorId, key))) throw new ApiError('gone')
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not made again by its own request',
  },
  {
    name: 'the key of a withdrawn post is not remembered',
    file: 'server/modules/posts/unreleased.ts',
    find: `    await noteWithdrawn(tx, it, deps.clock())
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not made again by its own request',
  },
  {
    name: 'the key of a withdrawn post is forgotten at once',
    file: 'server/modules/posts/unreleased.ts',
    find: 'export const WITHDRAWN_LIFE = 7 * 24 * 3600 * 1000',
    replace: 'export const WITHDRAWN_LIFE = 0',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not made again by its own request',
  },
  {
    name: 'a withdrawal leaves its uploads the rest of their life',
    file: 'server/modules/posts/unreleased.ts',
    find: `    await touchUploads(tx, it.uploads, deps.clock())
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'their whole life again',
  },
  {
    name: 'a withdrawal leaves what was made of its files',
    file: 'server/modules/posts/unreleased.ts',
    find: `  await removeMade(deps, freed)
  if (freed.awaited`,
    replace: '  if (freed.awaited',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'leaves nothing of what was made',
  },
  {
    name: 'a withdrawal keeps the row of its chunks',
    file: 'server/modules/posts/unreleased.ts',
    find: `    if (it.awaited !== undefined) await forgetUpload(tx, it.awaited)
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'takes the bytes of its chunks',
  },
  {
    name: 'unreleased posts live for seven hours',
    file: 'server/modules/posts/unreleased.ts',
    find: 'UNRELEASED_LIFE = 7 * 24 * 3600 * 1000',
    replace: 'UNRELEASED_LIFE = 7 * 3600 * 1000',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'reaped a week after',
  },
  {
    name: 'a withdrawal removes a post that is being released',
    file: 'server/store/unreleased.ts',
    find: `        isNull(posts.deletedAt),
      ),
    )
    .for('update')`,
    replace: `        isNull(posts.deletedAt),
      ),
    )`,
    tests: ['server/store/unreleased.test.ts'],
    caughtBy: 'is not removed by another one',
  },
  {
    name: 'a priced post is released without an identity check',
    file: 'server/modules/posts/release.ts',
    find: `  await mustBeIdentifiedToRelease(deps.db, postId, authorId)
`,
    replace: '',
    tests: ['server/modules/posts/identity-gate.test.ts'],
    caughtBy: 'does not release a priced post',
  },
  {
    name: 'other bytes than were picked are released',
    file: 'server/modules/posts/release.ts',
    find: `  await checkDigest(deps, row, path)
`,
    replace: '',
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'other bytes than were picked',
  },
  {
    name: 'chunks with wrong bytes stay counted',
    file: 'server/modules/posts/release.ts',
    find: `  await forgetChunks(deps.db, row.id)
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
    find: '  if ((await deps.files.sizeOf(path)) !== row.length) {',
    replace: '  if (false as boolean) {',
    tests: ['server/modules/posts/release.test.ts'],
    caughtBy: 'lost bytes on the disk',
  },
  {
    name: 'a deleted post can be released',
    file: 'server/store/posts.ts',
    find: `eq(posts.authorId, authorId), isNull(posts.deletedAt))
  const first`,
    replace: `eq(posts.authorId, authorId))
  const first`,
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'deleted post is nobody',
  },
  {
    name: 'a post is changed before it is released',
    file: 'server/modules/posts/change.ts',
    find: ` || post.releasedAt === null) throw new ApiError('not_found')
    if (content`,
    replace: `) throw new ApiError('not_found')
    if (content`,
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'neither changed nor deleted',
  },
  {
    name: 'a post is deleted before it is released',
    file: 'server/modules/posts/change.ts',
    find: 'if (!post || post.releasedAt === null) throw',
    replace: 'if (!post) throw',
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'neither changed nor deleted',
  },
  {
    name: 'a bought post is deleted',
    file: 'server/modules/posts/change.ts',
    find: `    if (await isSold(tx, post.id)) throw new ApiError('sold')
`,
    replace: '',
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'what somebody bought',
  },
  {
    name: 'the next chunk counts as received',
    file: 'server/modules/posts/chunks.ts',
    find: 'if (body.chunk < row.received) return row.received',
    replace: 'if (body.chunk <= row.received) return row.received',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'in order they make the file',
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
    caughtBy: 'another person finds nothing',
  },
  {
    name: 'two requests write one chunk at once',
    file: 'server/modules/posts/chunks.ts',
    find: '  return inTurn(deps, body.file_id, async () => {',
    replace:
      '  return (async (_a: unknown, _b: unknown, work: () => Promise<number>) => work())(deps, body.file_id, async () => {',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'six times at once',
  },
  {
    name: 'the limit of a post leaves out its other files',
    file: 'server/modules/posts/chunks.ts',
    find: '  if (end + beside > MAX_TOTAL_BYTES)',
    replace: '  if (end > MAX_TOTAL_BYTES)',
    tests: ['server/modules/posts/chunks.test.ts'],
    caughtBy: 'no more than 1 GiB',
  },
  {
    name: 'a chunk is counted before its bytes are written',
    file: 'server/modules/posts/chunks.ts',
    find: `  await files.placeDurably(file.path, files.uploadPath(row.id), offset)
  const length = chunk === chunks - 1 ? end : null
`,
    replace: `  const length = chunk === chunks - 1 ? end : null
  await countChunk(db, row.id, { chunk, chunks, filename, length }, clock())
  await files.placeDurably(file.path, files.uploadPath(row.id), offset)
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
    find: `      await files.cutAt(files.uploadPath(row.id), offset)
`,
    replace: `      void 0
`,
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'every way in is refused',
  },
  {
    name: 'chunks are not counted against the limit',
    file: 'server/modules/posts/chunks.ts',
    find: `      await checkStored(tx, row.ownerId, settings.uploadsPerPerson)
`,
    replace: `      void settings
`,
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'every way in is refused',
  },
  {
    name: 'pictures inside the request are not counted against the limit',
    file: 'server/modules/posts/add.ts',
    find: `  if (pieces.some((it) => it.inline)) await checkStored(tx, ownerId, settings.uploadsPerPerson)
`,
    replace: '',
    tests: ['server/stored-bytes.test.ts'],
    caughtBy: 'every way in is refused',
  },
  {
    name: 'another person’s upload becomes a post',
    file: 'server/modules/posts/pieces.ts',
    find: 'row?.ownerId !== authorId || row.metadata',
    replace: 'row === undefined || row.metadata',
    tests: ['server/modules/posts/refusals.test.ts'],
    caughtBy: 'as unknown as none',
  },
  {
    name: 'an unfinished upload becomes a post',
    file: 'server/modules/posts/pieces.ts',
    find: 'if (size === undefined || size !== row.length)',
    replace: 'if (size === undefined)',
    tests: ['server/modules/posts/refusals.test.ts'],
    caughtBy: 'not whole is upload_incomplete',
  },
  {
    name: 'an identity document becomes a picture of a post',
    file: 'server/modules/posts/pieces.ts',
    find: " || row.metadata['purpose'] === IDENTITY_PURPOSE)",
    replace: ')',
    tests: ['server/modules/posts/refused-files.test.ts'],
    caughtBy: 'sent for an identity check',
  },
  {
    name: 'the digest of an upload is not compared',
    file: 'server/modules/posts/pieces.ts',
    find: 'if ((await digestOf(deps, id)) !== claimed)',
    replace: 'if (false as boolean)',
    tests: ['server/modules/posts/refused-files.test.ts'],
    caughtBy: 'is digest_mismatch and names the upload',
  },
  {
    name: 'digests of pictures inside the request are not compared',
    file: 'server/modules/posts/pieces.ts',
    find: "if (!(await picturesMatch(deps, body['image_digest[]'], pieces)))",
    replace: 'if (false as boolean)',
    tests: ['server/modules/posts/refused-files.test.ts'],
    caughtBy: 'compared in their order',
  },
  {
    name: 'two posts hold one upload',
    file: 'server/modules/posts/add.ts',
    find: `  if (taken.length > 0)
`,
    replace: `  if (taken.length > 99)
`,
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'two posts racing for one upload',
  },
]
