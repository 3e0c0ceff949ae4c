// Planted faults in what entitles a viewer to a post and its files.
import type { Fault } from '../fault.ts'

const file = 'server/store/posts/entitlements.ts'
const held = 'server/store/media/held-media.ts'
const columns = ['server/store/posts/entitlements.test.ts']
const permits = ['server/modules/media/permit.test.ts', 'server/modules/media/permit-holders.test.ts']

export const entitlementFaults: readonly Fault[] = [
  {
    name: 'a purchase of any post opens a priced one',
    file,
    find: 'where post_purchases.post_id = p.id and ${boughtBy(viewer)})',
    replace: 'where ${boughtBy(viewer)})',
    tests: columns,
    caughtBy: 'a purchase of another post',
  },
  {
    name: 'a membership of any plan entitles to a post',
    file,
    find: 'where o.post_id = p.id and ${joinedNow(viewer, now)}',
    replace: 'where ${joinedNow(viewer, now)}',
    tests: columns,
    caughtBy: 'a plan that does not open the post',
  },
  {
    name: 'a membership opens posts of before it, whatever its plan says',
    file,
    find: ' and ${opensReleased(sql`p.released_at`)}',
    replace: '',
    tests: columns,
    caughtBy: 'only if the plan has back numbers',
  },
  {
    name: 'the blocks of a viewer do not count for posts and files',
    file,
    find: "not ${notBlocked(viewer, sql.raw('p.author_id'))} as blocked",
    replace: 'false as blocked',
    tests: columns,
    caughtBy: 'a block in either direction',
  },
  {
    name: 'the files of a deleted post are served',
    file: held,
    find: 'p.deleted_at is not null as deleted',
    replace: 'false as deleted',
    tests: permits,
    caughtBy: 'a post that was deleted is hidden',
  },
  {
    name: 'the files of an unreleased post are served',
    file: held,
    find: 'p.released_at is not null as released',
    replace: 'true as released',
    tests: permits,
    caughtBy: 'an unreleased post is for its author only',
  },
  {
    name: 'a picture of a message is served like one that nothing protects',
    file: held,
    find: "  if (row.message_id !== null) return { is: 'message' }\n",
    replace: "  if (row.message_id !== null) return { is: 'person', state: 'present' }\n",
    tests: permits,
    caughtBy: 'the picture of a message',
  },
  {
    name: 'a field of the entitlements replaces the age of a member',
    file: 'server/rules/post-access.ts',
    find: `  { joinedPlans, bought, showsAgeLimited, blocked }: Entitlements,
): PostViewer {
  if (!member) return { is: 'visitor' }
  // Named one by one, so that no other field of the entitlements replaces the member's id.
  return { is: 'member', id: member.id, age: member.age, joinedPlans, bought, showsAgeLimited, blocked }
`,
    replace: `  has: Entitlements,
): PostViewer {
  if (!member) return { is: 'visitor' }
  return { is: 'member', ...member, ...has }
`,
    tests: ['server/rules/post-access.test.ts'],
    caughtBy: 'replace neither the id nor the age',
  },
]
