// Planted faults in the duties of columns, and in reading newer versions.
import type { Fault } from './fault.ts'

const copies = ['server/personal-copies.test.ts']
const leftovers = ['server/modules/leaving/leftovers.test.ts']

export const personalFaults: readonly Fault[] = [
  {
    name: 'duties: erasure leaves a column of comments that it should empty',
    file: 'server/store/accounts/erasure.ts',
    find: '.set(erasedRow(commentColumns, { id: userId, at: new Date(now) }))',
    replace: ".set({ content: '' })",
    tests: copies,
    caughtBy: 'what the duties of its columns say',
  },
  {
    name: 'duties: the copy of a person lacks the links of their profile',
    file: 'server/store/personal/people.ts',
    find: "exported: 'links'",
    replace: "exported: without('forgotten')",
    tests: copies,
    caughtBy: 'are those of the transcript',
  },
  {
    name: 'duties: a report quotes no biography',
    file: 'server/store/personal/people.ts',
    find: 'quoted: { text: (bio) => bio },',
    replace: 'quoted: null,',
    tests: copies,
    caughtBy: 'are those of the transcript',
  },
  {
    name: 'duties: an account whose deletion is under way is erased before its files',
    file: 'server/store/accounts/leaving.ts',
    find: 'and(isNotNull(users.deletedAt), notExists(waiting), gt(users.id, after))',
    replace: 'and(isNotNull(users.deletedAt), waiting && gt(users.id, after))',
    tests: leftovers,
    caughtBy: 'an account whose deletion is under way is left to it',
  },
  {
    name: 'duties: rows of deleted accounts are erased again each hour',
    file: 'server/modules/leaving/leftovers.ts',
    find: 'if (await wasListed(',
    replace: 'if (act.length === 0 && await wasListed(',
    tests: leftovers,
    caughtBy: 'is erased, once, and the audit log says so',
  },
  {
    name: 'a field code of a newer server costs the code of the error',
    file: 'contract/response.ts',
    find: 'v.record(v.string(), v.string())',
    replace: 'v.record(v.string(), v.picklist(fieldCodes))',
    tests: ['contract/response.test.ts'],
    caughtBy: 'a field code of a newer server is left out',
  },
  {
    name: 'a page misses a version whose installation began before it listened',
    file: 'src/watch-versions.ts',
    find: "  registration.addEventListener('updatefound', watch)\n  watch()",
    replace: "  registration.addEventListener('updatefound', watch)\n  check()",
    tests: ['src/watch-versions.test.ts'],
    caughtBy: 'a version whose installation another tab began before the page listened is noticed',
  },
]
