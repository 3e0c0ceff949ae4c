// Faults planted in the code of database and queue, which the stories must detect.
import type { Change } from './browser/program.ts'
import type { Faults } from './world.ts'

export interface Planted {
  readonly faults: Faults
  /** The violation that reports it. */
  readonly caught: RegExp
}

/** One text that is replaced. */
const change = (file: string, find: string, by: string): Change => ({ file, find, by })
const inCode = (...changes: Change[]): Faults => ({ changes })

const dropped = (file: string, find: string): Faults => inCode(change(file, find, ''))

/** Each fault by its name. */
export const plantedCode: Record<string, Planted> = {
  'preuploads are read after jobs': {
    faults: inCode(
      change('device/jobs/deliveries.ts', '  const jobs = await listJobs(ownerId)\n', ''),
      change(
        'device/jobs/deliveries.ts',
        "  const rows = await transact(['early'],",
        "  const jobs = await listJobs(ownerId)\n  const rows = await transact(['early'],",
      ),
    ),
    caught: /^6: a queue does not see/,
  },
  'a submitted draft is preuploaded too': {
    faults: dropped(
      'device/jobs/preupload.ts',
      "    if (await tx.objectStore('jobs').getKey(draftId)) return false\n",
    ),
    caught: /^6: what was submitted is sent early/,
  },
  'a second submission makes a second job': {
    faults: dropped('device/jobs/jobs.ts', "      if (found.is === 'submitted') return { is: 'already' }\n"),
    caught: /^1: a job was given another key/,
  },
  'a stale tab submits over a newer text': {
    faults: inCode(
      change(
        'device/jobs/jobs.ts',
        "if (found.is === 'stored' && found.draft.revision",
        'if (false && found.draft.revision',
      ),
    ),
    caught: /^4: a newer text of another tab was replaced/,
  },
  'the stored text is submitted in place of the shown one': {
    faults: inCode(
      change(
        'device/jobs/jobs.ts',
        '{ ...shown, submitWhenReady: false }',
        '{ ...before, submitWhenReady: false }',
      ),
    ),
    caught: /^2: another text was submitted/,
  },
  'a draft is submitted without the files that are gone': {
    faults: dropped(
      'device/jobs/jobs.ts',
      "      if (mediaIds.length > 0) return { is: 'missing', mediaIds }\n",
    ),
    caught: /^2: /,
  },
  'a submission is written relaxed': {
    faults: inCode(
      change(
        'device/jobs/jobs.ts',
        "      return { is: 'submitted', job }\n    },\n  )",
        "      return { is: 'submitted', job }\n    },\n    'relaxed',\n  )",
      ),
    ),
    caught: /^10: /,
  },
  'the end of a job is written relaxed': {
    faults: inCode(
      change(
        'device/jobs/jobs.ts',
        'releasedAt, told: false })\n  })',
        "releasedAt, told: false })\n  }, 'relaxed')",
      ),
    ),
    caught: /^10: /,
  },
  'chunks are written relaxed': {
    faults: inCode(
      change(
        'device/files/chunks.ts',
        '    return true\n  })\n  if (stored) emitChange(',
        "    return true\n  }, 'relaxed')\n  if (stored) emitChange(",
      ),
    ),
    caught: /^10: a transaction over chunks/,
  },
  'a published job leaves no receipt': {
    faults: dropped(
      'device/jobs/jobs.ts',
      "    await tx.objectStore('receipts').put({ kind, id, ownerId, postId, releasedAt, told: false })\n",
    ),
    caught: /^6: a job that is released was dropped/,
  },
  'a draft is discarded under its job': {
    faults: inCode(
      change(
        'device/drafts/drafts.ts',
        "draft?.ownerId !== ownerId || (await tx.objectStore('jobs').getKey(id))",
        'draft?.ownerId !== ownerId',
      ),
    ),
    caught: /^4: the draft of a job is gone/,
  },
  'signing out deletes the drafts of jobs': {
    faults: inCode(change('device/session/purge.ts', 'if (!jobs.has(key)) await', 'await')),
    caught: /^4: the draft of a job is gone/,
  },
  'signing out deletes the files of jobs': {
    faults: inCode(change('device/session/purge.ts', ' && !jobs.has(row.draftId)', '')),
    caught: /^6: stored bytes are missing/,
  },
  'the refusal of an old token ends a new session': {
    faults: dropped(
      'device/session/session.ts',
      '    if (token !== undefined && session?.token !== token) return false\n',
    ),
    caught: /^5: a session was ended that the server accepts/,
  },
  'pages of portals count as refusals': {
    faults: inCode(
      change(
        'sw/queue/requests/outcome.ts',
        'if (!refusal) return unanswered',
        "if (!refusal) return { is: 'refused', code: 'bad_request' }",
      ),
    ),
    caught: /^12: |^11: /,
  },
  'a piece begins at its chunk and not at its offset': {
    faults: inCode(
      change('sw/queue/requests/source.ts', 'const from = start - index * CHUNK_BYTES', 'const from = 0'),
    ),
    caught: /^the run threw: |^6: /,
  },
}
