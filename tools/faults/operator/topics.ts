// Planted faults in topics of servers: subscriptions, gaps, joins of channels.
import type { Fault } from '../fault.ts'

const subscriptions = {
  file: 'server/adapters/topics/subscriptions.ts',
  tests: ['server/adapters/topics/subscriptions.test.ts'],
}
const joining = ['server/realtime-joining.test.ts']

export const topicFaults: readonly Fault[] = [
  {
    ...subscriptions,
    name: 'what is published before a late confirmation is lost silently',
    find: `      if (entry.state !== 'confirmed') entry.hasGap = true
`,
    replace: '',
    caughtBy: 'a confirmation that is late',
  },
  {
    ...subscriptions,
    name: 'a node that no longer has a topic delivers its messages twice',
    find: 'if (entry?.node === node) entry.subscriber.received(message)',
    replace: 'if (entry && node) entry.subscriber.received(message)',
    caughtBy: 'whose messages are duplicates',
  },
  {
    ...subscriptions,
    name: 'a reply to an earlier subscription confirms the present one',
    find: 'this.#entries.get(topic) === entry && entry.request === request',
    replace: 'this.#entries.get(topic) === entry && request > 0',
    caughtBy: 'the late reply of it does not count',
  },
  {
    ...subscriptions,
    name: 'a topic that is opened again is unsubscribed nevertheless',
    find: `      known.cancelRemoval?.()
      known.cancelRemoval = undefined
`,
    replace: '',
    caughtBy: 'within the delay stays subscribed',
  },
  {
    ...subscriptions,
    name: 'the loss of one node is a gap of the topics of all',
    find: 'if (entry.node === node) lose(entry)',
    replace: 'if (node) lose(entry)',
    caughtBy: 'exactly the topics of its node',
  },
  {
    name: 'a gap that Redis did not accept is not announced any more',
    file: 'server/adapters/topics/publisher.ts',
    find: `          if (!isAccepted) this.#gaps.add(topic)
`,
    replace: '',
    tests: ['server/adapters/topics/publisher.test.ts'],
    caughtBy: 'lost messages of a topic become one gap',
  },
  {
    name: 'a server receives its own messages',
    file: 'server/adapters/topics/topics.ts',
    find: 'if (bytes.length <= ID_BYTES || self.equals(bytes.subarray(0, ID_BYTES))) return',
    replace: 'if (bytes.length <= ID_BYTES) return',
    tests: ['server/adapters/topics/topics.test.ts'],
    caughtBy: 'and not the own one',
  },
  {
    name: 'a join is answered before the subscription is confirmed',
    file: 'server/adapters/realtime/message-handler.ts',
    find: `    if (pending) await pending
`,
    replace: '',
    tests: joining,
    caughtBy: 'the reply to a join comes when',
  },
  {
    name: 'an earlier join of a channel is answered too',
    file: 'server/adapters/realtime/message-handler.ts',
    find: 'socket.isOpen && socket.channels.get(channel) === subscription',
    replace: 'socket.isOpen && socket.channels.has(channel)',
    tests: joining,
    caughtBy: 'gets one reply',
  },
  {
    name: 'a gap of one channel closes all connections',
    file: 'server/adapters/realtime/hub.ts',
    find: 'channel === undefined ? this.sockets : (this.#channels.get(channel) ?? [])',
    replace: 'this.sockets',
    tests: joining,
    caughtBy: 'a gap of one channel closes its connections alone',
  },
  {
    name: 'an ending that Redis did not accept is lost',
    file: 'server/adapters/realtime/bus.ts',
    find: "Buffer.from(JSON.stringify(ended)), 'repeat')",
    replace: "Buffer.from(JSON.stringify(ended)), 'nothing')",
    tests: joining,
    caughtBy: 'lost endings are repeated',
  },
]
