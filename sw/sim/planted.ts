// Faults in machines, queue and server that the stories of the upload queue must detect.
import type { Change } from './browser/program.ts'
import type { Planted } from './planted-code.ts'
import type { Faults } from './world.ts'

/** A fault that replaces one text of the product. */
const changing = (file: string, find: string, by: string): Faults => ({
  changes: [{ file, find, by }] satisfies Change[],
})

/** Each fault by its name, and the violation that reports it. */
export const plantedFaults: Record<string, Planted> = {
  'delete before ack: the device deletes a job when the post is added': {
    faults: changing(
      'sw/queue/machines/post.ts',
      "{ do: 'release', postId: stage.post.id }",
      "{ do: 'finish', postId: stage.post.id, at: now }",
    ),
    caught: /^4: a job \(post\) was deleted/,
  },
  'trusting our own offset: the upload continues at the device’s offset': {
    faults: { ownOffset: true },
    caught: /^6:/,
  },
  'trusting our own offset: the server’s offset is ignored and the upload begins again': {
    faults: { ignoresOffset: true },
    caught: /^3: acknowledged bytes/,
  },
  'select-then-insert: the server reads the key first and inserts later': {
    faults: { rules: { addOnce: 'select' } },
    caught: /^1: a job made two posts/,
  },
  'no lock: every runner is granted the lock': { faults: { noLock: true }, caught: /^7: two runners/ },
  'hook-based publish: the last byte of an upload publishes its post twice': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^1: .* was published 2 times/,
  },
  'hook-based publish: the hook does not run': {
    faults: { rules: { publishIn: 'hook' } },
    caught: /^4: a job \(post\) was deleted/,
  },
  'wrong owner: a job is sent with the session of any person': {
    faults: { noOwner: true },
    caught: /^5: a job was sent by another person/,
  },
  'lost late event: the server’s answers after a cancel are ignored': {
    faults: changing(
      'sw/queue/machines/post.ts',
      "  const post = addedPostOf(job)\n  switch (event.type) {\n    case 'discarded':",
      "  const post = addedPostOf(job)\n  if (/withdraw|discarded/.test(event.type)) return job\n  switch (event.type) {\n    case 'discarded':",
    ),
    caught: /^6: job never ended/,
  },
  'lost late event: the post’s id is ignored after a lost answer': {
    faults: changing(
      'sw/queue/machines/post.ts',
      "return stage.is === 'added' ? job : added(",
      "return stage.is === 'added' || job.attempts > 0 ? job : added(",
    ),
    caught: /^6:/,
  },
  'the server notifies followers at every release request': {
    faults: { rules: { releaseOnce: false } },
    caught: /^1: .* was published/,
  },
  'the server does not compare digests': {
    faults: { rules: { checkDigest: false } },
    caught: /^2: the released bytes/,
  },
  'the server creates an identity check at each request': {
    faults: { rules: { checkOnce: false } },
    caught: /^1: a job made two identity checks/,
  },
  'an identity check is deleted before it is acknowledged': {
    faults: changing(
      'sw/queue/machines/request-with-files.ts',
      "{ do: 'submit' } :",
      "{ do: 'finish', id: 'none', at: now } :",
    ),
    caught: /^4: a job \(identity\) was deleted/,
  },
  'an identity check is sent as a post': {
    seed: 147,
    faults: changing('sw/queue/kinds/post.ts', "job.kind === 'post'", "job.kind !== 'preupload'"),
    caught: /^the run threw/,
  },
  'each try has a new idempotency key': { faults: { freshKeys: true }, caught: /^1:/ },
  'the server accepts legacy chunks in any order': {
    seed: 65,
    faults: { rules: { anyOrder: true } },
    caught: /^2:|^6:/,
  },
  'a preupload is sent as a post': {
    faults: changing('sw/queue/kinds/post.ts', "job.kind === 'post'", "job.kind !== 'identity'"),
    caught: /^the run threw/,
  },
  'a lost answer drops the job': {
    faults: {
      changes: [
        {
          file: 'sw/queue/machines/post.ts',
          find: "  if (stage.is === 'failed') return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
          by: "  if (job.attempts > 0) return { do: 'drop' }\n  if (stage.is === 'released')",
        },
        // The device refuses to delete an open job: the step would be repeated without an end.
        {
          file: 'device/jobs/jobs.ts',
          find: "    if (job?.stage.is !== 'cancelled' && job?.stage.is !== 'failed') return false\n",
          by: '    if (!job) return false\n',
        },
      ],
    },
    caught: /^6:/,
  },
  'a lost request is never tried again': {
    faults: changing(
      'sw/queue/machines/post.ts',
      "  if (stage.is === 'failed') return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
      "  if (stage.is === 'failed' || job.attempts > 0) return { do: 'wait', for: 'person' }\n  if (stage.is === 'released')",
    ),
    caught: /^6:/,
  },
  'a full server is treated as a refusal': {
    faults: changing(
      'sw/queue/ends.ts',
      '      const { is: _, ...details } = end\n',
      "      const { is: _, ...details } = end\n      if (end.why) return { type: 'refused', code: 'storage_full' }\n",
    ),
    caught: /^9: a full server/,
  },
  'a digest that differs is ignored': {
    faults: changing(
      'sw/queue/machines/post.ts',
      '      return differed(job, event.fileIds)',
      '      return job',
    ),
    caught: /^6:/,
  },
  'a refused release counts as the refusal of the withdrawal that follows it': {
    seed: 105,
    faults: {
      ...changing(
        'sw/queue/machines/post.ts',
        "    case 'withdrawRefused':\n      return { ...job,",
        "    case 'withdrawRefused':\n    case 'refused':\n      return { ...job,",
      ),
      refusedReleases: true,
    },
    caught: /^12: a post is left on the server/,
  },
  'the server does not store the keys of withdrawn posts': {
    faults: { rules: { storesWithdrawnKeys: false }, lateDuplicates: true },
    caught: /^12: a post is left on the server/,
  },
  'values that must not be lost are written relaxed, and offsets strictly': {
    faults: changing(
      'sw/queue/runner.ts',
      "event.type === 'accepted' ? 'relaxed' : 'strict'",
      "event.type === 'accepted' ? 'strict' : 'relaxed'",
    ),
    caught: /^10: a value that must not be lost/,
  },
  'the request of a post is recorded after it was sent': {
    faults: changing(
      'sw/queue/kinds/post.ts',
      "  const current = await record({ type: 'requested' })\n  if (current?.stage.is !== 'requested') return\n  const end = await api.addPost(job, signal)",
      "  const end = await api.addPost(job, signal)\n  await record({ type: 'requested' })",
    ),
    caught: /^1: a job is requested before/,
  },
  'a job can be cancelled while its post is requested': {
    seed: 108,
    faults: changing(
      'sw/queue/machines/post.ts',
      "  stage.is === 'open' || stage.is === 'added' || stage.is === 'failed'\n",
      "  stage.is !== 'cancelled' && stage.is !== 'released'\n",
    ),
    caught: /^11: a job can be cancelled|^12:/,
  },
  'a stopped step ends before its last request': {
    faults: changing(
      'sw/queue/requests/tus.ts',
      'void stack.quiet().then(() =>',
      'void Promise.resolve(stack).then(() =>',
    ),
    caught: /^7: /,
  },
  'every event of a failed job shows a notice': {
    seed: 548,
    faults: changing(
      'sw/queue/failures.ts',
      "ended: before.stage.is !== 'failed' && after.stage.is === 'failed'",
      "ended: after.stage.is === 'failed'",
    ),
    caught: /^11: one failure has two notices/,
  },
  'a running step continues after its person has signed out': {
    faults: changing(
      'sw/queue/runner.ts',
      'if (session?.user.id !== ownerId) return stop.abort()',
      'if (session?.user.id !== ownerId) return',
    ),
    caught: /^5: a request continues after/,
  },
  'a page with an outdated database continues its request': {
    seed: 115,
    faults: {
      ...changing('sw/queue/runner.ts', 'if (isOutdated(error)) current.stop.abort()', 'isOutdated(error)'),
      signOutAfterUpgrade: true,
    },
    caught: /^5: a request continues after/,
  },
  // Each of these two changes alone has no effect, since the other check remains.
  'a request has the token of any person, in a step that continues after a sign-out': {
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
  'any person can change a draft by its URL': {
    faults: changing(
      'device/drafts/drafts.ts',
      "draft?.ownerId === ownerId ? { is: 'stored', draft } : { is: 'unreadable' }",
      "draft ? { is: 'stored', draft } : { is: 'unreadable' }",
    ),
    caught: /^5: a draft has the text of another person/,
  },
  'the device deletes the draft at its submission': {
    faults: changing(
      'device/jobs/jobs.ts',
      "await tx.objectStore('early').delete(draftId)\n",
      "await tx.objectStore('early').delete(draftId)\n    await tx.objectStore('drafts').delete(draftId)\n",
    ),
    caught: /^4: /,
  },
}
