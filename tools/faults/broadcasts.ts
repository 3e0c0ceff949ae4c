// Planted faults in posts of messages and in broadcasts: access, single delivery, and stops.
import type { Fault } from './fault.ts'

const cards = ['server/modules/messages/post-cards.test.ts']
const posts = ['server/modules/messages/posts.test.ts']
const broadcasts = ['server/modules/messages/broadcasts.test.ts']
const deliveries = ['server/broadcasts.test.ts']

export const broadcastFaults: readonly Fault[] = [
  {
    name: 'the card of a post has the text of a post that a plan opens',
    file: 'server/services/posts/post-card.ts',
    find: "post.type === 1 ? excerptOf(post.content) : ''",
    replace: 'excerptOf(post.content)',
    tests: cards,
    caughtBy: 'show each viewer what the access policy decides, in every reply',
  },
  {
    name: 'a message request shows the post that it carries',
    file: 'server/modules/messages/views.ts',
    find: "return isShown ? (cards.get(postId) ?? { is: 'none' }) : { is: 'requested' }",
    replace: "return cards.get(postId) ?? { is: 'none' }",
    tests: posts,
    caughtBy: 'is not shown in a message request, until it is accepted',
  },
  {
    name: 'a post of another person may be attached',
    file: 'server/services/posts/post-card.ts',
    find: 'post?.authorId === senderId && post.releasedAt !== null',
    replace: 'post !== undefined && post.releasedAt !== null',
    tests: posts,
    caughtBy: 'must be a released post of the sender',
  },
  {
    name: 'a broadcast is accepted for plans of other creators',
    file: 'server/modules/messages/broadcasts.ts',
    find: 'if (!ids.every((id) => own.has(id)))',
    replace: 'if (ids.length > 10 && own.size === 0)',
    tests: broadcasts,
    caughtBy: 'is refused for plans of others, ended ones, and people without a plan',
  },
  {
    name: 'a broadcast reaches who has left the plan',
    file: 'server/modules/messages/deliver-broadcast.ts',
    find: '  if (!(await isMemberOfAny(tx, planIds, recipientId, deps.clock()))) return false\n',
    replace: '  await isMemberOfAny(tx, planIds, recipientId, deps.clock())\n',
    tests: broadcasts,
    caughtBy: 'skips a recipient who',
  },
  {
    name: 'a stop does not wait for deliveries that have begun',
    file: 'server/store/messages/broadcasts.ts',
    find: "      .where(and(eq(broadcasts.id, id), isRunning))\n      .for('share')",
    replace: '      .where(eq(broadcasts.id, id))',
    tests: deliveries,
    caughtBy: 'that is stopped while it is delivered reaches no person after the reply',
  },
  {
    name: 'two runners take the same recipient',
    file: 'server/store/messages/broadcasts.ts',
    find: "    .for('update', { skipLocked: true })\n",
    replace: '',
    tests: deliveries,
    caughtBy: 'that three runners deliver at once reaches each person once',
  },
]
