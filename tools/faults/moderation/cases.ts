// Planted faults in cases, measures and appeals.
import type { Fault } from '../fault.ts'

const cases = ['server/modules/moderation/cases.test.ts']
const measures = ['server/modules/moderation/measures.test.ts']
const appeals = ['server/modules/moderation/appeals.test.ts']
const decide = 'server/modules/moderation/decide.ts'
const apply = 'server/services/moderation/apply.ts'
const withheld = 'server/store/moderation/withheld.ts'

export const caseFaults: readonly Fault[] = [
  {
    name: 'a case is decided without being taken',
    file: 'server/modules/moderation/access.ts',
    find: 'if (found.state !== state || holderOf(found, now) !== viewer.id) throw',
    replace: 'if (found.state !== state || holderOf(found, now) === undefined) throw',
    tests: cases,
    caughtBy: 'is locked for others for 15 minutes',
  },
  {
    name: 'a case is taken from the one who works on it',
    file: 'server/modules/moderation/case-routes.ts',
    find: '(holder !== null && holder !== viewer.id) || found.state',
    replace: '(holder !== null && holder === undefined) || found.state',
    tests: cases,
    caughtBy: 'is locked for others for 15 minutes',
  },
  {
    name: 'the owner of a case who is staff reads and decides it',
    file: 'server/store/moderation/cases.ts',
    find: 'sql`${cases.ownerId} is distinct from ${personId} and ',
    replace: 'sql`',
    tests: cases,
    caughtBy: 'is not there for its owner and its reporters',
  },
  {
    name: 'a case is decided although a report came that was not shown',
    file: decide,
    find: "if (found.reports !== seen) throw new ApiError('conflict')",
    replace: "if (found.reports < seen) throw new ApiError('conflict')",
    tests: cases,
    caughtBy: 'cannot be decided while a report came',
  },
  {
    name: 'a moderator suspends an admin',
    file: 'server/rules/moderation/restrictions.ts',
    find: "about === 'member' || by === 'admin'",
    replace: "about === 'member' || by !== 'member'",
    tests: cases,
    caughtBy: 'a moderator takes no measure about other staff',
  },
  {
    name: 'undoing a removal brings back a post that its author had deleted',
    file: withheld,
    find: '.where(and(eq(posts.id, id), isNotNull(posts.withheldAt)))\n    .returning',
    replace: '.where(and(eq(posts.id, id), isNotNull(posts.deletedAt)))\n    .returning',
    tests: measures,
    caughtBy: 'a post that its author has deleted stays deleted',
  },
  {
    name: 'the end of one suspension ends another one',
    file: apply,
    find: "const suspends = kinds.has('suspend')",
    replace: 'const suspends = kinds.size > 1',
    tests: measures,
    caughtBy: 'a suspension ends sessions',
  },
  {
    name: 'sessions from before a suspension are open again after it',
    file: apply,
    find: 'if (changed && !suspends) await removeSessions(tx, id)\n',
    replace: 'void removeSessions\n',
    tests: measures,
    caughtBy: 'a suspension ends sessions',
  },
  {
    name: 'hidden content is deleted for good',
    file: withheld,
    find: "(${measures.kind} = 'hide' or exists",
    replace: "(${measures.kind} = 'warn' or exists",
    tests: measures,
    caughtBy: 'a removed post is deleted for good after 30 days, a hidden one never',
  },
  {
    name: 'removed content is deleted while its appeal is open',
    file: withheld,
    find: "appeals.state = 'open'",
    replace: "appeals.state = 'granted'",
    tests: appeals,
    caughtBy: 'a removed post is stored while its appeal is open',
  },
  {
    name: 'an age limit of the author is taken off with the measure',
    file: decide,
    find: "if (row.kind === 'age_limit' && !ageLimited)",
    replace: "if (row.kind === 'age_limit' && ageLimited)",
    tests: measures,
    caughtBy: 'an age limit is taken off again',
  },
  {
    name: 'a limited person is in the list of new posts',
    file: 'server/store/posts/feed.ts',
    find: 'isUnlimited(sql`${posts.authorId}`)',
    replace: 'isNotNull(posts.authorId)',
    tests: measures,
    caughtBy: 'a limited person is in no search',
  },
  {
    name: 'an appeal is sent about the decision of another person',
    file: 'server/modules/moderation/own-routes.ts',
    find: '(token === undefined && row.personId !== viewer?.id)',
    replace: '(token === undefined && viewer === undefined)',
    tests: appeals,
    caughtBy: 'about another person',
  },
  {
    name: 'any token opens a decision',
    file: 'server/modules/moderation/own-routes.ts',
    find: "secrets.isMac('decision', id, token) ?",
    replace: "token !== '' ?",
    tests: appeals,
    caughtBy: 'by the link of the email',
  },
  {
    name: 'the one who decided answers the appeal',
    file: 'server/modules/moderation/appeals.ts',
    find: "last.decidedBy === viewer.id && (await countStaff(tx, 'reports')) > 1",
    replace: "last.decidedBy === viewer.id && (await countStaff(tx, 'reports')) > 99",
    tests: appeals,
    caughtBy: 'is not answered by the one who decided',
  },
  {
    name: 'an appeal is accepted after its time',
    file: 'server/modules/moderation/appeals.ts',
    find: 'decidedAt.getTime() + APPEAL_MS <= now',
    replace: 'decidedAt.getTime() + APPEAL_MS * 2 <= now',
    tests: appeals,
    caughtBy: 'after 14 days',
  },
]
