// Faults planted in the code of database and queue, which the stories must detect.
import type { Change } from './browser/program.ts'
import type { Faults } from './world.ts'

export interface Planted {
  readonly faults: Faults
  /** The violation that reports it. */
  readonly caught: RegExp
  /** A seed whose story shows it, tried before all others; changed stories make it a slow guess. */
  readonly seed?: number
}

/** Replaces one text of the product. */
const change = (file: string, find: string, by: string): Change => ({ file, find, by })
const changing = (...changes: Change[]): Faults => ({ changes })

const withoutText = (file: string, find: string): Faults => changing(change(file, find, ''))

/** The faults by their names. */
export const plantedCode: Record<string, Planted> = {
  'preuploads are read after jobs': {
    faults: changing(
      change('device/jobs/deliveries.ts', '  const jobs = await listJobs(ownerId)\n', ''),
      change(
        'device/jobs/deliveries.ts',
        "  const rows = await transact(['early'],",
        "  const jobs = await listJobs(ownerId)\n  const rows = await transact(['early'],",
      ),
    ),
    caught: /^6: a queue does not read/,
  },
  'a submitted draft is preuploaded too': {
    faults: withoutText(
      'device/jobs/preupload.ts',
      "    if (await tx.objectStore('jobs').getKey(draftId)) return false\n",
    ),
    caught: /^6: a submitted draft is also preuploaded/,
  },
  'a second submission creates a second job': {
    faults: withoutText(
      'device/jobs/jobs.ts',
      "      if (found.is === 'submitted') return { is: 'already' }\n",
    ),
    caught: /^1: the key of a job changed/,
  },
  'a stale tab replaces a newer text by its submission': {
    faults: changing(
      change(
        'device/jobs/jobs.ts',
        "if (found.is === 'stored' && found.draft.revision",
        'if (false && found.draft.revision',
      ),
    ),
    caught: /^4: a newer text of another tab was replaced/,
  },
  'the stored text is submitted instead of the shown one': {
    faults: changing(
      change(
        'device/jobs/jobs.ts',
        '{ ...shown, submitWhenReady: false }',
        '{ ...before, submitWhenReady: false }',
      ),
    ),
    caught: /^2: another text was submitted/,
  },
  'a draft is submitted without its missing files': {
    faults: withoutText(
      'device/jobs/jobs.ts',
      "      if (mediaIds.length > 0) return { is: 'missing', mediaIds }\n",
    ),
    caught: /^2: /,
  },
  'a submission is written relaxed': {
    faults: changing(
      change(
        'device/jobs/jobs.ts',
        "      return { is: 'submitted', job }\n    },\n  )",
        "      return { is: 'submitted', job }\n    },\n    'relaxed',\n  )",
      ),
    ),
    caught: /^10: /,
  },
  'the end of a job is written relaxed': {
    faults: changing(
      change(
        'device/jobs/jobs.ts',
        'releasedAt, told: false })\n  })',
        "releasedAt, told: false })\n  }, 'relaxed')",
      ),
    ),
    caught: /^10: /,
  },
  'chunks are written relaxed': {
    faults: changing(
      change(
        'device/files/chunks.ts',
        '    return true\n  })\n  if (stored) emitChange(',
        "    return true\n  }, 'relaxed')\n  if (stored) emitChange(",
      ),
    ),
    caught: /^10: a transaction over chunks/,
  },
  'a published job leaves no receipt': {
    faults: withoutText(
      'device/jobs/jobs.ts',
      "    await tx.objectStore('receipts').put({ kind, id, ownerId, postId, releasedAt, told: false })\n",
    ),
    caught: /^6: a job that is released was dropped/,
  },
  'the draft of a job can be discarded': {
    faults: changing(
      change(
        'device/drafts/drafts.ts',
        "draft?.ownerId !== ownerId || (await tx.objectStore('jobs').getKey(id))",
        'draft?.ownerId !== ownerId',
      ),
    ),
    caught: /^4: the draft of a job was deleted/,
  },
  'signing out deletes the drafts of jobs': {
    faults: changing(change('device/session/purge.ts', 'if (!jobs.has(key)) await', 'await')),
    caught: /^4: the draft of a job was deleted/,
  },
  'signing out deletes the files of jobs': {
    faults: changing(change('device/session/purge.ts', ' && !jobs.has(row.draftId)', '')),
    caught: /^6: stored bytes are missing/,
  },
  'the refusal of an old token ends a new session': {
    faults: withoutText(
      'device/session/session.ts',
      '    if (token !== undefined && session?.token !== token) return false\n',
    ),
    caught: /^5: a session was ended that the server accepts/,
  },
  'pages of captive portals count as refusals': {
    faults: changing(
      change(
        'sw/queue/requests/outcome.ts',
        'if (!refusal) return unanswered',
        "if (!refusal) return { is: 'refused', code: 'bad_request' }",
      ),
    ),
    caught: /^12: |^11: /,
  },
  'a request body begins at its chunk instead of its offset': {
    faults: changing(
      change('sw/queue/requests/source.ts', 'const from = start - index * CHUNK_BYTES', 'const from = 0'),
    ),
    caught: /^the run threw: |^6: /,
  },
  'each part is taken by both lanes': {
    faults: changing(
      change(
        'sw/queue/requests/parts.ts',
        'const no = left.shift()',
        'const it = lanes as { again?: number }\n    const no = it.again ?? left.shift()\n    it.again = it.again === undefined ? no : undefined',
      ),
    ),
    caught: /^8: /,
  },
  'a piece of a part begins at the start of the part': {
    faults: changing(change('sw/queue/requests/parts.ts', 'bytes.slice(from, from', 'bytes.slice(0, from')),
    caught: /^the run threw: |^6: /,
  },
  'the stored parts of a begun upload are not asked for': {
    faults: changing(
      change(
        'sw/queue/requests/parts.ts',
        'isNew ? numbers.map(() => 0) : await readStored(deps, { ...it, url })',
        'numbers.map(() => 0)',
      ),
    ),
    caught: /^3: acknowledged bytes/,
  },
  'a step ends with the first of its lanes': {
    faults: changing(change('sw/queue/requests/parts.ts', 'await Promise.all(', 'await Promise.race(')),
    caught: /^7: |^8: /,
  },
}
