// Planted faults in read replicas: whom they serve, and which are left out.
import type { Fault } from '../fault.ts'

export const replicaFaults: readonly Fault[] = [
  {
    name: 'a replica decides by itself who may see a post',
    file: 'server/store/posts/post-facts.ts',
    find: '[toFacts({ ...row, ...guard })]',
    replace: '[toFacts({ ...guard, ...row })]',
    tests: ['server/replica-access.test.ts'],
    caughtBy: 'its author asks a price for it',
  },
  {
    name: 'a replica shows the text from before an edit',
    file: 'server/store/posts/post-facts.ts',
    find: 'guard?.edited_at === row.edited_at && ',
    replace: '',
    tests: ['server/replica-access.test.ts'],
    caughtBy: 'the former text is in no list',
  },
  {
    name: 'a page without what the primary removes is shorter',
    file: 'server/services/replicas/reads.ts',
    find: 'return isSame ? rows : whole()',
    replace: 'return rows',
    tests: ['server/replica-access.test.ts'],
    caughtBy: 'is as long as on the primary',
  },
  {
    name: 'a search finds a person whom staff have limited on the primary alone',
    file: 'server/modules/search/find-people.ts',
    find: 'return people.filter((it) => now.has(it.id))',
    replace: 'return now.size > -1 ? [...people] : []',
    tests: ['server/replica-access.test.ts'],
    caughtBy: 'staff limit its author',
  },
  {
    name: 'a replica serves reads of what it has not replayed',
    file: 'server/adapters/database/replicas/statements.ts',
    find: 'pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
    replace: '$1::pg_lsn is not null as reached',
    tests: ['server/replicas.test.ts'],
    caughtBy: 'an author sees a new post at once',
  },
  {
    name: 'a promoted server serves reads',
    file: 'server/adapters/database/replicas/statements.ts',
    find: 'select pg_is_in_recovery() and ',
    replace: 'select ',
    tests: ['server/adapters/database/replicas/replicas.long.test.ts'],
    caughtBy: 'a promoted server serves no read',
  },
  {
    name: 'the watermark of another person is valid',
    file: 'server/services/replicas/watermarks.ts',
    find: '`${cluster}\\n${userId}\\n${position}`',
    replace: '`${cluster}\\n${userId.slice(0, 0)}\\n${position}`',
    tests: ['server/replicas.test.ts'],
    caughtBy: 'a watermark is valid for its person alone',
  },
  {
    name: 'a change leaves the watermark as it was',
    file: 'server/services/replicas/watermarks.ts',
    find: "const issued = reading.has(method) ? request.issuedWatermark : 'present'",
    replace: 'const issued = reading.has(method) ? request.issuedWatermark : null',
    tests: ['server/replicas.test.ts'],
    caughtBy: 'an author sees a new post at once',
  },
  {
    name: 'newer posts are counted on a replica that lacks them',
    file: 'server/services/replicas/reads.ts',
    find: 'const position = await replicas.position()',
    replace: 'const position = await replicas.position().then(() => 0n)',
    tests: ['server/replicas.test.ts'],
    caughtBy: 'a follower who is notified of a post',
  },
  {
    name: 'a replica that still follows the former primary is used',
    file: 'server/adapters/database/replicas/standing.ts',
    find: `  if (replica.timeline !== primary.timeline) return 'diverged'
`,
    replace: '',
    tests: ['server/adapters/database/replicas/replicas.long.test.ts'],
    caughtBy: 'still follows the former primary',
  },
  {
    name: 'a request fails with its replica',
    file: 'server/adapters/database/replicas/replica.ts',
    find: `        return { is: 'failed' }
      }
    },`,
    replace: `        throw error
      }
    },`,
    tests: ['server/replicas.test.ts'],
    caughtBy: 'fails no request',
  },
  {
    name: 'a database that is gone is an error of the server',
    file: 'server/http/errors.ts',
    find: `  if (isDatabaseGone(error) || error instanceof OutcomeUnknown) return new Gone('database')
`,
    replace: '',
    tests: ['server/replica-failover.long.test.ts'],
    caughtBy: 'answered 503 with a time to retry',
  },
]
