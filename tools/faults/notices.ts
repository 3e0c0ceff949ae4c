// Planted faults in notices of the operator.
import type { Fault } from './fault.ts'

const publishing = ['server/modules/notices/publishing.test.ts']
const readers = ['server/modules/notices/readers.test.ts']
const drafts = ['server/modules/notices/drafts.test.ts']
const markdown = ['server/services/notices/markdown.test.ts']
const fanOut = 'server/modules/notices/fan-out.ts'
const acts = 'server/modules/notices/act.ts'

export const noticeFaults: readonly Fault[] = [
  {
    name: 'a batch runs although the notice was stopped',
    file: fanOut,
    find: "if (notice?.state !== 'publishing') return",
    replace: "if (!notice || notice.state === 'withdrawn') return",
    tests: publishing,
    caughtBy: 'stopped half way and resumed, reaches each of them once',
  },
  {
    name: 'a resumed notice begins with its first batch',
    file: acts,
    find: "await unit.enqueue('notice.fan-out', { subjectId: noticeId, stretch })",
    replace: "await unit.enqueue('notice.fan-out', { subjectId: noticeId, stretch: stretch * 0 })",
    tests: publishing,
    caughtBy: 'stopped half way and resumed, reaches each of them once',
  },
  {
    name: 'a job of an earlier schedule publishes a notice',
    file: acts,
    find: '    if (wait > EARLY_MS) return\n    if (wait > 0)',
    replace: '    if (wait > EARLY_MS * 0 && wait < EARLY_MS)',
    tests: publishing,
    caughtBy: 'at the time that was set last',
  },
  {
    name: 'a withdrawn notice stays in lists until its job has run',
    file: 'server/store/notifications/notifications.ts',
    find: '    and not ${isRetractedNotice()}\n',
    replace: '    and (true or ${isRetractedNotice()})\n',
    tests: publishing,
    caughtBy: 'disappears from lists, counts, its page, and emails that wait',
  },
  {
    name: 'emails that wait are sent after the withdrawal of their notice',
    file: acts,
    find: '  await removeEmailsAbout(tx, notice.id)\n',
    replace: '  void removeEmailsAbout\n',
    tests: publishing,
    caughtBy: 'disappears from lists, counts, its page, and emails that wait',
  },
  {
    name: 'a notice is published by a person who has not seen the last change',
    file: acts,
    find: 'if (state === undefined || notice.revision !== body.revision) throw',
    replace: 'if (state === undefined) throw',
    tests: publishing,
    caughtBy: 'the second is refused',
  },
  {
    name: 'resuming needs no validation',
    file: 'server/modules/notices/admin-routes.ts',
    find: "body.act === 'schedule' || body.act === 'resume')",
    replace: "body.act === 'schedule')",
    tests: publishing,
    caughtBy: 'publishing, scheduling and resuming require a validation',
  },
  {
    name: 'advertising goes to people whose settings allow notices, without a consent',
    file: fanOut,
    find: '? { push: it.consents, mail: it.consents }',
    replace: '? { push: it.consents, mail: it.channels.mail }',
    tests: readers,
    caughtBy: 'is mailed to people with a consent alone',
  },
  {
    name: 'advertising is mailed although the consent was withdrawn meanwhile',
    file: 'server/modules/notices/mail.ts',
    find: '    if (advertising && (await consentOf(tx, to.id)) === null) return\n',
    replace: '    void consentOf\n',
    tests: readers,
    caughtBy: 'is mailed to people with a consent alone',
  },
  {
    name: 'an address of another person stops the emails',
    file: 'server/services/notices/unsubscribe-token.ts',
    find: "secrets.isMac('unsubscribe', userId, mac) ? userId : undefined",
    replace: 'mac.length > 0 ? userId : undefined',
    tests: readers,
    caughtBy: 'is stopped by its address without a session, by POST alone',
  },
  {
    name: 'a person outside the audience reads a notice',
    file: 'server/modules/notices/reader-routes.ts',
    find: 'if (!notice || !(await isReader(db, notice, userId, clock()))) throw',
    replace: 'if (!notice) throw',
    tests: readers,
    caughtBy: 'each audience is of its people alone',
  },
  {
    name: 'former members of a plan get a notice for its members',
    file: 'server/store/notices/audience.ts',
    find: '${joinedNow(sql`${users.id}`, moment)}',
    replace: 'g.user_id = ${users.id}',
    tests: readers,
    caughtBy: 'each audience is of its people alone',
  },
  {
    name: 'a reader is counted each time',
    file: 'server/store/notices/marks.ts',
    find: '      setWhere: isNull(noticeMarks.readOn),\n',
    replace: '',
    tests: readers,
    caughtBy: 'readers are counted once each, by the day',
  },
  {
    name: 'visitors get the bars of every audience',
    file: 'server/store/notices/marks.ts',
    find: "userId === null ? eq(notices.audience, 'all') : sql`not ${closed}`",
    replace: 'userId === null ? undefined : sql`not ${closed}`',
    tests: readers,
    caughtBy: 'visitors get those for all',
  },
  {
    name: 'the audience changes after the publication',
    file: 'server/modules/notices/drafts.ts',
    find: "const isFixed = scope === 'words' && fixed.some((it) => changed.includes(it))",
    replace: "const isFixed = scope === 'words' && fixed.length === 0",
    tests: readers,
    caughtBy: 'after the publication audience and channels stay',
  },
  {
    name: 'a link of a notice leads to another scheme',
    file: 'server/services/notices/markdown.ts',
    find: "href.startsWith('https://') && URL.canParse(href)",
    replace: 'URL.canParse(href)',
    tests: markdown,
    caughtBy: 'stays text',
  },
  {
    name: 'everyone reads the picture of a draft',
    file: 'server/modules/media/permit.ts',
    find: "  if (isShown(state)) return { is: 'open' }\n",
    replace: "  if (isShown(state) || state === 'draft') return { is: 'open' }\n",
    tests: drafts,
    caughtBy: 'the picture of a draft is for staff alone',
  },
]
