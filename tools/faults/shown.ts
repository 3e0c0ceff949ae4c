// Planted faults in what staff must have been shown before they decide.
import type { Fault } from './fault.ts'

const documents = ['server/modules/admin/shown.test.ts']
const cases = ['server/modules/moderation/unseen.test.ts']
const payouts = ['server/modules/payouts/unseen.test.ts']
const access = 'server/modules/moderation/access.ts'
const admin = 'server/modules/payouts/admin-routes.ts'

export const shownFaults: readonly Fault[] = [
  {
    name: 'an identity check is approved whose documents were not shown',
    file: 'server/modules/admin/review.ts',
    find: 'if (!isSeen(check.documentKind, files, await shownFiles(tx, by, files))) throw',
    replace: 'if (!isSeen(check.documentKind, files, new Set(files.map((it) => it.id)))) throw',
    tests: documents,
    caughtBy: 'is refused until each document and the recording was sent whole',
  },
  {
    name: 'documents count as shown that another reviewer was shown',
    file: 'server/store/audit/entries.ts',
    find: '    eq(auditLog.actorId, actorId),\n    eq(auditLog.act, act),\n    since',
    replace: '    eq(auditLog.act, act),\n    since',
    tests: documents,
    caughtBy: 'is refused for parts that another reviewer was shown',
  },
  {
    name: 'an identity check is approved for a name that its reviewer was not shown',
    file: 'server/modules/admin/review.ts',
    find: "if (!isSame) throw new ApiError('unseen')",
    replace: 'void isSame',
    tests: documents,
    caughtBy: 'is refused for a name or a birth date that the reviewer was not shown',
  },
  {
    name: 'a part of a document counts as shown',
    file: 'server/modules/admin/file.ts',
    find: 'isWhole && shown ?',
    replace: 'shown ?',
    tests: documents,
    caughtBy: 'is refused after parts of a file, its headers, and a file that broke',
  },
  {
    name: 'a document counts as shown before its last byte',
    file: 'server/modules/admin/shown.ts',
    find: '    if (held) yield held\n',
    replace: '    if (held) {\n      await done()\n      yield held\n    }\n',
    tests: documents,
    caughtBy: 'is not made for a reader who leaves before the end',
  },
  {
    name: 'a case is decided by staff who have not read it',
    file: access,
    find: 'if (!(await subjectsOf(tx, read, [found.id])).has(found.id)) throw',
    replace: "if (found.id === '') throw",
    tests: cases,
    caughtBy: 'is refused until the case was shown to the one who decides',
  },
  {
    name: 'a case may have been read before it was reported again',
    file: access,
    find: "act: 'case.read', since: found.since }",
    replace: "act: 'case.read' }",
    tests: cases,
    caughtBy: 'is refused for a case that was read before it was decided and reported again',
  },
  {
    name: 'a post is left as it is that was edited after it was read',
    file: access,
    find: 'if (keeps && !(await wasListed(',
    replace: 'if (keeps && thing < 0 && !(await wasListed(',
    tests: cases,
    caughtBy: 'leaves a post that was edited since it was read only when it was read again',
  },
  {
    name: 'a measure waits for an author who goes on editing',
    file: 'server/modules/moderation/decide.ts',
    find: "keeps: decision.is !== 'act'",
    replace: 'keeps: true',
    tests: cases,
    caughtBy: 'leaves a post that was edited since it was read only when it was read again',
  },
  {
    name: 'a reported message is decided about without its copies',
    file: access,
    find: '?.shown === false) throw',
    replace: "?.reportId === '') throw",
    tests: cases,
    caughtBy: 'about a message needs its copies',
  },
  {
    name: 'an appeal is answered unread',
    file: 'server/modules/moderation/appeals.ts',
    find: '    await requireRead(tx, viewer, { found, keeps: granted })\n',
    replace: '',
    tests: cases,
    caughtBy: 'about an appeal is refused until the appeal was shown',
  },
  {
    name: 'a claim decides reports of members that were not read',
    file: 'server/modules/moderation/inquiry-decide.ts',
    find: 'if (found.reports > 1) await requireRead',
    replace: 'if (found.reports > 99) await requireRead',
    tests: cases,
    caughtBy: 'about a claim that also decides reports of members needs the case of them',
  },
  {
    name: 'a payout is approved that no list has shown',
    file: admin,
    find: '    await requireListed(deps, [...ids], by)\n',
    replace: '',
    tests: payouts,
    caughtBy: 'is refused before a list has shown the payout to this admin',
  },
  {
    name: 'a payout is approved whose account changed after it was shown',
    file: admin,
    find: '[requestedAt, account?.changedAt, namedAt,',
    replace: '[requestedAt, namedAt,',
    tests: payouts,
    caughtBy: ', until the list was read again',
  },
  {
    name: 'a payout is approved whose creator has another name than was shown',
    file: admin,
    find: 'account?.changedAt, namedAt, suspendedAt',
    replace: 'account?.changedAt, suspendedAt',
    tests: payouts,
    caughtBy: ', until the list was read again',
  },
  {
    name: 'a request for a seller’s data is answered that no list has shown',
    file: 'server/modules/sellers/admin-routes.ts',
    find: "if (!(await wasListed(unit.tx, read, { list: 'requests', thing: id }))) throw",
    replace: "if (id === '') throw",
    tests: ['server/modules/sellers/requests.test.ts'],
    caughtBy: 'answers only what a list has shown to this admin since it was requested',
  },
]
