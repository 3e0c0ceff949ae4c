// Planted faults in cases that staff open, suspensions on devices, and shared caches.
import type { Fault } from '../fault.ts'

const opened = ['server/modules/moderation/opened-cases.test.ts']
const caches = ['server/shared-caches.test.ts']
const access = 'server/modules/moderation/access.ts'

export const openedFaults: readonly Fault[] = [
  {
    name: 'staff open a case about themselves, or one that they have reported',
    file: access,
    find: 'if (await isInvolved(tx, found.id, viewer.id)) throw',
    replace: "if (ownerId === '') throw",
    tests: opened,
    caughtBy: 'is not opened about oneself',
  },
  {
    name: 'a moderator opens a case about an admin',
    file: access,
    find: "if (kind === 'person' && !mayMeasure(",
    replace: "if (kind === 'post' && !mayMeasure(",
    tests: opened,
    caughtBy: 'is not opened about oneself',
  },
  {
    name: 'a case is opened although another person has it',
    file: access,
    find: "found.state === 'appealed' || (holder !== null && holder !== viewer.id)",
    replace: "found.state === 'appealed' || (holder !== null && holder === '')",
    tests: opened,
    caughtBy: 'is of one of two people at a time',
  },
  {
    name: 'a case that was opened and left stays open',
    file: access,
    find: "if (found.state !== 'open' || (await hasWork(tx, found)))",
    replace: "if (found.state === 'open' || (await hasWork(tx, found)))",
    tests: opened,
    caughtBy: 'is of one of two people at a time',
  },
  {
    name: 'an undone case without a report waits for another decision',
    file: 'server/modules/moderation/decide.ts',
    find: 'if (!(await hasWork(tx, { ...found, reports }))) return found\n',
    replace: '',
    tests: opened,
    caughtBy: 'suspends a person, who is informed by email',
  },
  {
    name: 'a person reads the note of staff',
    file: 'server/modules/moderation/decision-views.ts',
    find: 'text: row.textToPerson,',
    replace: 'text: row.textToPerson + row.note,',
    tests: opened,
    caughtBy: 'suspends a person, who is informed by email',
  },
  {
    name: 'the desk counts a case for the person whom it is about',
    file: 'server/store/staff/waiting.ts',
    find: "state = 'open' and ${isOfOthers(readerId)}`",
    replace: "state = 'open'`",
    tests: opened,
    caughtBy: 'of staff is seen by others alone',
  },
  {
    name: 'the list of a person has what the person has deleted',
    file: 'server/store/staff/person-content.ts',
    find: 'or(isNull(posts.deletedAt), isNotNull(posts.withheldAt)),',
    replace: 'isNotNull(posts.id),',
    tests: opened,
    caughtBy: 'hides a post and a comment of the list',
  },
  {
    name: 'the share picture of a removed post stays in shared caches',
    file: 'server/modules/share/pictures.ts',
    find: ', s-maxage=60`',
    replace: '`',
    tests: caches,
    caughtBy: 'serves nothing 60 seconds after a measure',
  },
  {
    name: 'holds of a person’s own words are on the transparency page',
    file: 'server/store/inquiries/transparency.ts',
    find: "(reviewer = 'staff' or reason <> 'word')",
    replace: "(reviewer = 'staff' or reason <> '')",
    tests: ['server/modules/moderation/hold-numbers.test.ts'],
    caughtBy: 'count the rules of the operator',
  },
]
