// Planted faults of adding, releasing and withdrawing posts.
import type { Fault } from '../fault.ts'

export const postFaults: readonly Fault[] = [
  {
    name: 'pictures of a repeated request stay on the disk',
    file: 'server/services/media/stored-files.ts',
    find: `    if (!refersTo(result)) await removeStored()
`,
    replace: '',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'inline pictures store one picture',
  },
  {
    name: 'a lost reply to COMMIT removes the pictures of the post',
    file: 'server/services/media/stored-files.ts',
    find: 'if (!(error instanceof OutcomeUnknown)) await removeStored()',
    replace: 'await removeStored()',
    tests: ['server/lost-commit.test.ts'],
    caughtBy: 'keeps its picture',
  },
  {
    name: 'a repeated request is checked again',
    file: 'server/modules/posts/add.ts',
    find: 'request.key === undefined ? undefined : await findPostByKey(deps.db, request.authorId, request.key)',
    replace: 'undefined as string | undefined',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'gets the reply of the first one',
  },
  {
    name: 'one person’s key finds another person’s post',
    file: 'server/store/posts/posts.ts',
    find: '    .where(and(eq(posts.authorId, authorId), eq(posts.idempotencyKey, key)))',
    replace: '    .where(eq(posts.idempotencyKey, key))',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'adds another post',
  },
  {
    name: 'followers are notified at each repeated release',
    file: 'server/modules/posts/release.ts',
    find: 'if (!result?.fresh) return result',
    replace: 'if (!result) return result',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'twenty simultaneous releases',
  },
  {
    name: 'a repeated release moves the moment of the release',
    file: 'server/store/posts/posts.ts',
    find: '.where(and(mine, isNull(posts.releasedAt), isNull(posts.heldAt)))',
    replace: '.where(mine)',
    tests: ['server/modules/posts/add.test.ts'],
    caughtBy: 'twenty simultaneous releases',
  },
  {
    name: 'a late request creates a withdrawn post again',
    file: 'server/modules/posts/add.ts',
    find: `    if (key !== undefined && (await isWithdrawn(tx, authorId, key))) throw new ApiError('gone')
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not added again by its own late request',
  },
  {
    name: 'the key of a withdrawn post is not stored',
    file: 'server/modules/posts/unreleased.ts',
    find: `    await recordWithdrawn(tx, removed, deps.clock())
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not added again by its own late request',
  },
  {
    name: 'the key of a withdrawn post is deleted at once',
    file: 'server/modules/posts/unreleased.ts',
    find: 'export const WITHDRAWN_LIFE = 400 * 24 * 3600 * 1000',
    replace: 'export const WITHDRAWN_LIFE = 0',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'not added again by its own late request',
  },
  {
    name: 'a withdrawal does not shorten the life of its uploads',
    file: 'server/modules/posts/unreleased.ts',
    find: `    await touchUploads(tx, removed.uploads, deps.clock())
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'restarts the lifetime of its uploads',
  },
  {
    name: 'a withdrawal leaves the media made from its files',
    file: 'server/modules/posts/unreleased.ts',
    find: `  await removeMediaFolders(deps, freed)
  if (freed.awaited`,
    replace: '  if (freed.awaited',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'leaves no media made from its files',
  },
  {
    name: 'a withdrawal does not remove the row of its chunks',
    file: 'server/modules/posts/unreleased.ts',
    find: `    if (removed.awaited !== undefined) await removeUploadRow(tx, removed.awaited)
`,
    replace: '',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'loses the bytes of its chunks',
  },
  {
    name: 'unreleased posts live for seven hours',
    file: 'server/modules/posts/unreleased.ts',
    find: 'UNRELEASED_LIFE = 7 * 24 * 3600 * 1000',
    replace: 'UNRELEASED_LIFE = 7 * 3600 * 1000',
    tests: ['server/modules/posts/unreleased.test.ts'],
    caughtBy: 'removed a week after',
  },
  {
    name: 'a withdrawal removes a post that is being released',
    file: 'server/store/posts/unreleased.ts',
    find: `        isNull(posts.deletedAt),
      ),
    )
    .for('update')`,
    replace: `        isNull(posts.deletedAt),
      ),
    )`,
    tests: ['server/store/posts/unreleased.test.ts'],
    caughtBy: 'a post that a concurrent transaction releases is not removed',
  },
  {
    name: 'a priced post is released without an identity check',
    file: 'server/modules/posts/release.ts',
    find: `  await mustBeIdentifiedToRelease(deps.db, postId, authorId)
`,
    replace: '',
    tests: ['server/modules/posts/identity-gate.test.ts'],
    caughtBy: 'cannot release a priced post',
  },
  {
    name: 'a deleted post can be released',
    file: 'server/store/posts/posts.ts',
    find: `eq(posts.authorId, authorId), isNull(posts.deletedAt))
  const first`,
    replace: `eq(posts.authorId, authorId))
  const first`,
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'a deleted post is not_found',
  },
  {
    name: 'a post is changed before it is released',
    file: 'server/modules/posts/change.ts',
    find: ` || isUnreleased(post)) throw new ApiError('not_found')
    const written`,
    replace: `) throw new ApiError('not_found')
    const written`,
    tests: ['server/modules/posts/change.test.ts'],
    caughtBy: 'neither changed nor deleted',
  },
  {
    name: 'an edit of a sold post keeps nothing for its buyers',
    file: 'server/modules/posts/change.ts',
    find: '  await keepVersion(tx, post.id, now)\n',
    replace: '',
    tests: ['server/modules/posts/bought-version.test.ts'],
    caughtBy: 'that is emptied is still read',
  },
  {
    name: 'a post is deleted before it is released',
    file: 'server/modules/posts/change.ts',
    find: 'if (!post || isUnreleased(post)) throw',
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
    caughtBy: 'a post that a member bought',
  },
  {
    name: 'another person’s upload becomes a post',
    file: 'server/services/uploads/own-upload.ts',
    find: 'row?.ownerId !== ownerId || isDocument',
    replace: 'row === undefined || isDocument',
    tests: ['server/modules/posts/refusals.test.ts'],
    caughtBy: 'an upload of another person',
  },
  {
    name: 'an unfinished upload becomes a post',
    file: 'server/services/uploads/own-upload.ts',
    find: 'if (size === undefined || size !== row.length)',
    replace: 'if (size === undefined)',
    tests: ['server/modules/posts/refusals.test.ts'],
    caughtBy: 'an unfinished upload is upload_incomplete',
  },
  {
    name: 'an identity document becomes a picture of a post',
    file: 'server/services/uploads/own-upload.ts',
    find: ' || isDocument(row))',
    replace: ')',
    tests: ['server/modules/posts/refused-files.test.ts'],
    caughtBy: 'sent for an identity check',
  },
  {
    name: 'the digest of an upload is not compared',
    file: 'server/modules/posts/attachments.ts',
    find: 'if ((await digestOf(deps, id)) !== claimed)',
    replace: 'if (false as boolean)',
    tests: ['server/modules/posts/refused-files.test.ts'],
    caughtBy: 'is digest_mismatch and names the upload',
  },
  {
    name: 'digests of pictures inside the request are not compared',
    file: 'server/modules/posts/attachments.ts',
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
    caughtBy: 'eight simultaneous posts with the same upload',
  },
]
