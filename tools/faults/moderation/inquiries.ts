// Planted faults in inquiries and the transparency page.
import type { Fault } from '../fault.ts'

const inquiries = ['server/modules/moderation/inquiries.test.ts']
const opinions = ['server/modules/moderation/inquiry-decisions.test.ts']
const intimate = ['server/modules/moderation/intimate-requests.test.ts']
const quarters = ['server/rules/moderation/quarters.test.ts']

export const inquiryFaults: readonly Fault[] = [
  {
    name: 'staff read an inquiry before its address is confirmed',
    file: 'server/modules/moderation/inquiry-access.ts',
    find: 'if (!found || isOwn || found.receivedAt === null) throw',
    replace: 'if (!found || isOwn) throw',
    tests: inquiries,
    caughtBy: 'reaches staff only once its address is confirmed',
  },
  {
    name: 'staff read an inquiry of their own, or about them',
    file: 'server/modules/moderation/inquiry-access.ts',
    find: 'if (!found || isOwn || found.receivedAt === null) throw',
    replace: 'if (!found || found.receivedAt === null) throw',
    tests: inquiries,
    caughtBy: 'is hidden from staff who sent it',
  },
  {
    name: 'the link of the author opens the page of the sender',
    file: 'server/modules/moderation/inquiry-sender.ts',
    find: "if (!deps.secrets.isMac('inquiry-sender', id, token)) throw",
    replace:
      "if (!deps.secrets.isMac('inquiry-sender', id, token) && !deps.secrets.isMac('inquiry-author', id, token)) throw",
    tests: inquiries,
    caughtBy: 'is read with its own token alone',
  },
  {
    name: 'links that confirm an inquiry go to one address without a limit',
    file: 'server/modules/moderation/inquiry-sender.ts',
    find: '  if (current > max) throw new RateLimited(ttl)',
    replace: '  if (current > max * 99) throw new RateLimited(ttl)',
    tests: inquiries,
    caughtBy: 'goes to one address three times at most',
  },
  {
    name: 'a withdrawn claim stays in its case',
    file: 'server/modules/moderation/inquiry-sender.ts',
    find: '  if (found.reportId !== null) await closeReport(unit.tx, found.reportId, now)\n',
    replace: '',
    tests: inquiries,
    caughtBy: 'is withdrawn by its sender',
  },
  {
    name: 'an inquiry is decided by one who has not taken it',
    file: 'server/modules/moderation/inquiry-access.ts',
    find: "found.state === 'decided' || holderOf(found, now) !== viewer.id",
    replace: "found.state === 'decided' || holderOf(found, now) === undefined",
    tests: opinions,
    caughtBy: 'is taken by one person for 15 minutes',
  },
  {
    name: 'a claim stays decided when its measure is undone',
    file: 'server/modules/moderation/decide.ts',
    find: '  await reopenInquiries(deps, unit, decisionId)\n',
    replace: '',
    tests: opinions,
    caughtBy: 'which an undo takes back',
  },
  {
    name: 'the sender reads what the author said',
    file: 'server/modules/moderation/inquiry-sender.ts',
    find: "new Set(['asked_author', 'author_answered'])",
    replace: "new Set(['asked_author'])",
    tests: opinions,
    caughtBy: 'whose words the sender never reads',
  },
  {
    name: 'data are disclosed before the author was heard',
    file: 'server/modules/moderation/inquiry-decide.ts',
    find: "if (outcome === 'disclosed' && found.ownerId !== null && found.opinion === null)",
    replace: "if (outcome === 'disclosed' && found.ownerId === null && found.opinion === null)",
    tests: opinions,
    caughtBy: 'is disclosed only afterwards',
  },
  {
    name: 'a refused request of a person who is shown hides the post again',
    file: 'server/modules/moderation/intimate-requests.ts',
    find: 'if (isRefused || !(await mayHide(deps, inquiry, ip))) return shown',
    replace: 'if (!(await mayHide(deps, inquiry, ip))) return shown',
    tests: intimate,
    caughtBy: 'no later one hides it without staff',
  },
  {
    name: 'a second request about a post is confirmed while the first one waits',
    file: 'server/modules/moderation/intimate-requests.ts',
    find: "  if (await hasOpenRequest(unit.tx, postId)) throw new ApiError('conflict')\n",
    replace: '',
    tests: intimate,
    caughtBy: 'is the only one about a post',
  },
  {
    name: 'one address hides any number of posts',
    file: 'server/modules/moderation/intimate-requests.ts',
    find: '.current <= max',
    replace: '.current <= max * 99',
    tests: intimate,
    caughtBy: 'hides three posts of one address in a day',
  },
  {
    name: 'a refused request of a person who is shown leaves the post hidden',
    file: 'server/modules/moderation/inquiry-decide.ts',
    find: "    if (outcome === 'refused') await restoreRequested(unit, found, now)\n",
    replace: '',
    tests: intimate,
    caughtBy: 'refused shows the post again',
  },
  {
    name: 'what shows a person is only hidden and called removed',
    file: 'server/modules/moderation/inquiry-decide.ts',
    find: "found.kind === 'intimate' ? measure?.content === 'remove' : measure !== null",
    replace: 'measure !== null',
    tests: intimate,
    caughtBy: 'removed needs the removal for good',
  },
  {
    name: 'the author reads what a person who is shown has written',
    file: 'server/modules/moderation/inquiry-author.ts',
    find: "text: row.kind === 'intimate' ? '' : text,",
    replace: 'text,',
    tests: intimate,
    caughtBy: 'reads neither name nor text',
  },
  {
    name: 'small counts are published',
    file: 'server/rules/moderation/quarters.ts',
    find: 'count > 0 && count < FEW',
    replace: 'count > 0 && count < 1',
    tests: quarters,
    caughtBy: 'counts from 1 to 4 are not published',
  },
]
