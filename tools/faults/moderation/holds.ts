// Planted faults in automatic help.
import type { Fault } from '../fault.ts'

const holds = ['server/modules/moderation/holds.test.ts']
const ownWords = ['server/modules/moderation/own-words.test.ts']
const media = ['server/modules/moderation/removed-media.test.ts']
const words = ['server/rules/moderation/words.test.ts']
const decide = 'server/modules/moderation/decide.ts'
const apply = 'server/services/moderation/apply.ts'

export const holdFaults: readonly Fault[] = [
  {
    name: 'a held post stays in lists',
    file: 'server/store/moderation/holds.ts',
    find: '.set({ releasedAt: null, heldAt: new Date(now) })',
    replace: '.set({ heldAt: new Date(now) })',
    tests: holds,
    caughtBy: 'is shown to its author alone',
  },
  {
    name: 'a repeated release shows a held post',
    file: 'server/store/posts/posts.ts',
    find: '.where(and(mine, isNull(posts.releasedAt), isNull(posts.heldAt)))',
    replace: '.where(and(mine, isNull(posts.releasedAt)))',
    tests: holds,
    caughtBy: 'is shown to its author alone',
  },
  {
    name: 'a held post is withdrawn as unreleased',
    file: 'server/store/posts/unreleased.ts',
    find: ' || rows[0].heldAt !== null',
    replace: '',
    tests: holds,
    caughtBy: 'is neither withdrawn nor removed',
  },
  {
    name: 'a measure shows the held content',
    file: decide,
    find: 'if (withholds) await endHold',
    replace: 'if (!withholds) await endHold',
    tests: holds,
    caughtBy: 'stays away with a measure',
  },
  {
    name: 'an approval notifies followers of a post that they knew',
    file: 'server/services/holds/hold.ts',
    find: 'if (hold.releasedAt === null) await broadcast',
    replace: 'await broadcast',
    tests: holds,
    caughtBy: 'that was changed after its release',
  },
  {
    name: 'a case with reports is approved without a text to their authors',
    file: decide,
    find: "decision.is === 'approve' && found.reports > 0",
    replace: "decision.is === 'approve' && found.reports > 9",
    tests: holds,
    caughtBy: 'with reports is dismissed',
  },
  {
    name: 'a short word is found inside a longer one',
    file: 'server/rules/moderation/words.ts',
    find: '<= SHORT_KANA',
    replace: '<= 0',
    tests: words,
    caughtBy: 'in a longer word of katakana',
  },
  {
    name: 'everyone reads a held comment',
    file: 'server/store/reactions/comment-facts.ts',
    find: 'and ${alias}.author_id = ${viewer})',
    replace: 'and ${viewer} is not null)',
    tests: ownWords,
    caughtBy: 'is read by its author alone',
  },
  {
    name: 'the author of a comment reads the blocked word of another person',
    file: 'server/modules/moderation/hold-routes.ts',
    find: "it.reviewer === 'staff' ? it.word : ''",
    replace: 'it.word',
    tests: ownWords,
    caughtBy: 'is read by its author alone',
  },
  {
    name: 'a creator shows what staff review',
    file: 'server/modules/moderation/hold-routes.ts',
    find: "if (hold.reviewer !== 'creator') throw",
    replace: 'if (hold.reviewer === undefined) throw',
    tests: ownWords,
    caughtBy: 'with a word of the operator',
  },
  {
    name: 'anyone shows a held comment',
    file: 'server/modules/moderation/hold-routes.ts',
    find: 'post?.authorId !== viewerId',
    replace: 'post?.authorId === undefined',
    tests: ownWords,
    caughtBy: 'is shown once by the author',
  },
  {
    name: 'an undone removal stays on the list of removed media',
    file: apply,
    find: 'else await unlistRemoved(tx, id)',
    replace: "else await isFinal(tx, { targetKind: 'post', targetId: id })",
    tests: media,
    caughtBy: 'leave the list',
  },
  {
    name: 'a media that is made after the release is not compared',
    file: 'server/services/holds/removed-media.ts',
    find: 'if (found) await holdPost(',
    replace: 'if (!found) await holdPost(',
    tests: media,
    caughtBy: 'hold a post with',
  },
  {
    name: 'a media is available before it is compared with removed ones',
    file: 'server/modules/media/make.ts',
    find: 'if (picture !== undefined) await setHash',
    replace: 'if (picture === null) await setHash',
    tests: media,
    caughtBy: 'are shown to no other person',
  },
  {
    name: 'a post approved for its word is shown without the declaration about its film',
    file: 'server/services/holds/hold.ts',
    find: 'const next = hold.releasedAt === null ? await undeclaredFilm(tx, id) : undefined',
    replace: 'const next = undefined',
    tests: ['server/modules/posts/film-declaration.test.ts'],
    caughtBy: 'waits for both, in either order',
  },
  {
    name: 'an age-limited film is sold without the declaration',
    file: 'server/services/holds/found.ts',
    find: 'if (!(await lacksDeclaration(db, postId))) return undefined',
    replace: 'if (postId !== undefined) return undefined',
    tests: ['server/modules/posts/film-declaration.test.ts'],
    caughtBy: 'held until its author declares',
  },
  {
    name: 'an open age-limited film is sold later without the declaration',
    file: 'server/modules/posts/change.ts',
    find: 'if (post.type === 1 && (await lacksDeclaration(tx, post.id)))',
    replace: 'if (post.type !== 1 && (await lacksDeclaration(tx, post.id)))',
    tests: ['server/modules/posts/film-declaration.test.ts'],
    caughtBy: 'that was open is sold only with the declaration',
  },
]
