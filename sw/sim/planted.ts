// Faults that the stories of the upload queue must notice.
import type { Change } from './browser/program.ts'
import type { Faults } from './world.ts'

/** A fault in a text of the product. */
const inCode = (file: string, find: string, by: string): Faults => ({
  changes: [{ file, find, by }] satisfies Change[],
})

/** Each fault by its name, and the violation that reports it. */
export const plantedFaults: Record<string, { faults: Faults; caught: RegExp }> = {
  'delete before ack: the device forgets a job once the post is added': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "{ do: 'release', postId: stage.post.id }",
      "{ do: 'finish', postId: stage.post.id, at: now }",
    ),
    caught: /^4: deleted before the release/,
  },
  'trusting our own offset: the upload goes on where the device left off': {
    faults: { ownOffset: true },
    caught: /^6:/,
  },
  'trusting our own offset: the server’s is not heard and the upload begins again': {
    faults: { ignoresOffset: true },
    caught: /^3: acknowledged bytes/,
  },
  'select-then-insert: the server looks for the key and inserts later': {
    faults: { rules: { addOnce: 'select' } },
    caught: /^1: a job made two posts/,
  },
  'no lock: every runner thinks it holds it': { faults: { noLock: true }, caught: /^7: two runners/ },
  'hook-based publish: an upload’s last byte publishes its post': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^1: .* was published 2 times/,
  },
  'hook-based publish: the hook that never runs is noticed too': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^4: deleted before the release/,
  },
  'wrong owner: a job is sent with whatever session there is': {
    faults: { noOwner: true },
    caught: /^5: a job was sent by another person/,
  },
  'lost late event: what the server answers after a cancel is passed over': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "  const post = addedPostOf(job)\n  switch (event.type) {\n    case 'discarded':",
      "  const post = addedPostOf(job)\n  if (/withdraw|discarded/.test(event.type)) return job\n  switch (event.type) {\n    case 'discarded':",
    ),
    caught: /^6: job never ended/,
  },
  'lost late event: the post’s id that comes after a lost answer is passed over': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "return stage.is === 'added' ? job : added(",
      "return stage.is === 'added' || job.attempts > 0 ? job : added(",
    ),
    caught: /^6:/,
  },
  'the server tells followers at every release call': {
    faults: { rules: { releaseOnce: false } },
    caught: /^1: .* was published/,
  },
  'the server does not compare digests': {
    faults: { rules: { checkDigest: false } },
    caught: /^2: the released bytes/,
  },
  'the server makes a check at each request': {
    faults: { rules: { checkOnce: false } },
    caught: /^1: a job made two identity checks/,
  },
  'an identity check is forgotten before it is acknowledged': {
    faults: inCode(
      'sw/queue/machines/identity.ts',
      "{ do: 'submit' } :",
      "{ do: 'finish', id: 'none', at: now } :",
    ),
    caught: /^4: deleted before the check/,
  },
  'an identity check is posted': {
    faults: inCode('sw/queue/kinds/post.ts', "job.kind === 'post'", "job.kind !== 'preupload'"),
    caught: /^the run threw/,
  },
  'the idempotency key is made anew at each try': { faults: { freshKeys: true }, caught: /^1:/ },
  'the server piles up legacy chunks in any order': {
    faults: { rules: { anyOrder: true } },
    caught: /^2:|^6:/,
  },
  'a draft that is still being written is posted': {
    faults: inCode('sw/queue/kinds/post.ts', "job.kind === 'post'", "job.kind !== 'identity'"),
    caught: /^the run threw/,
  },
  'a lost answer drops the job': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "  if (stage.is === 'failed') return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
      "  if (job.attempts > 0) return { do: 'drop' }\n  if (stage.is === 'released')",
    ),
    caught: /^6:/,
  },
  'a loss is never tried again': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "  if (stage.is === 'failed') return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
      "  if (stage.is === 'failed' || job.attempts > 0) return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
    ),
    caught: /^6:/,
  },
  'a server without room is taken for a refusal': {
    faults: inCode(
      'sw/queue/ends.ts',
      '      const { is: _, ...details } = end\n',
      "      const { is: _, ...details } = end\n      if (end.why) return { type: 'refused', code: 'storage_full' }\n",
    ),
    caught: /^9: a server without room/,
  },
  'a digest that differs is passed over': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      '      return differed(job, event.fileIds)',
      '      return job',
    ),
    caught: /^6:/,
  },
  'the server forgets the keys of posts that were taken back': {
    faults: { rules: { remembersWithdrawn: false }, lateTwins: true },
    caught: /^12: a post is left on the server/,
  },
  'what must be kept is written relaxed, and offsets strictly': {
    faults: inCode(
      'sw/queue/runner.ts',
      "event.type === 'accepted' ? 'relaxed' : 'strict'",
      "event.type === 'accepted' ? 'strict' : 'relaxed'",
    ),
    caught: /^10: what must not be lost/,
  },
  'that a post may be there is noted after it was asked for': {
    faults: inCode(
      'sw/queue/kinds/post.ts',
      "  const current = await record({ type: 'requested' })\n  if (current?.stage.is !== 'requested') return\n  const end = await api.addPost(job, signal)",
      "  const end = await api.addPost(job, signal)\n  await record({ type: 'requested' })",
    ),
    caught: /^1: a post is asked for before/,
  },
  'a job can be taken back while its post is asked for': {
    faults: inCode(
      'sw/queue/machines/post.ts',
      "  stage.is === 'open' || stage.is === 'added' || stage.is === 'failed'\n",
      "  stage.is !== 'cancelled' && stage.is !== 'released'\n",
    ),
    caught: /^11: a job can be taken back|^12:/,
  },
  'a stopped step ends before its last request': {
    faults: inCode(
      'sw/queue/requests/tus.ts',
      'void stack.quiet().then(() =>',
      'void Promise.resolve(stack).then(() =>',
    ),
    caught: /^7: /,
  },
  'a failure is said at every event of a failed job': {
    faults: inCode(
      'sw/queue/failures.ts',
      "ended: before.stage.is !== 'failed' && after.stage.is === 'failed'",
      "ended: after.stage.is === 'failed'",
    ),
    caught: /^11: one failure is said twice/,
  },
  'a running step goes on after its person has signed out': {
    faults: inCode(
      'sw/queue/runner.ts',
      'if (session?.user.id !== ownerId) return stop.abort()',
      'if (session?.user.id !== ownerId) return',
    ),
    caught: /^5: a request goes on after/,
  },
  // Either of the two alone is hidden by the other.
  'a request is signed with whatever token there is, in a step that goes on after a sign-out': {
    faults: {
      changes: [
        {
          file: 'sw/queue/requests/request.ts',
          find: "if (session?.user.id !== ownerId) throw new Ended({ is: 'signedOut' })",
          by: "if (!session || !ownerId) throw new Ended({ is: 'signedOut' })",
        },
        {
          file: 'sw/queue/runner.ts',
          find: 'if (session?.user.id !== ownerId) return stop.abort()',
          by: 'if (session?.user.id !== ownerId) return',
        },
      ],
    },
    caught: /^5: a job was sent by another person/,
  },
  'a draft is changed by whoever opens its address': {
    faults: inCode(
      'device/drafts/drafts.ts',
      "draft?.ownerId === ownerId ? { is: 'stored', draft } : { is: 'unreadable' }",
      "draft ? { is: 'stored', draft } : { is: 'unreadable' }",
    ),
    caught: /^5: a draft holds what another person typed/,
  },
  'the device deletes the draft at its submission': {
    faults: inCode(
      'device/jobs/jobs.ts',
      "await tx.objectStore('early').delete(draftId)\n",
      "await tx.objectStore('early').delete(draftId)\n    await tx.objectStore('drafts').delete(draftId)\n",
    ),
    caught: /^4: /,
  },
}
