// Members of presence channels: of this process, or of all servers on one Redis.
import * as v from 'valibot'
import type { RedisCommands } from '#server/adapters/redis.ts'

const member = v.object({ user_id: v.string(), user_info: v.object({ name: v.string() }) })
export type Member = v.InferOutput<typeof member>

/** Members of channels. A person with several connections joins with the first and leaves with the last. */
export interface Presence {
  /** Adds a connection. @returns all members, and whether this is the person's first connection */
  enter(channel: string, connection: string, member: Member): Promise<{ members: Member[]; first: boolean }>
  /** Removes a connection. @returns whether it was the person's last one on the channel */
  leave(channel: string, connection: string): Promise<boolean>
  /** Refreshes these connections. @returns members that left because their server died */
  refresh(channels: ReadonlyMap<string, readonly string[]>): Promise<{ channel: string; userId: string }[]>
}

function peopleOf(members: Iterable<Member>): Member[] {
  return [...new Map([...members].map((it) => [it.user_id, it])).values()]
}

export function createMemoryPresence(): Presence {
  const channels = new Map<string, Map<string, Member>>()
  return {
    async enter(channel, connection, joining) {
      const connections = channels.get(channel) ?? new Map<string, Member>()
      channels.set(channel, connections)
      const first = ![...connections.values()].some((it) => it.user_id === joining.user_id)
      connections.set(connection, joining)
      return { members: peopleOf(connections.values()), first }
    },
    async leave(channel, connection) {
      const connections = channels.get(channel)
      const leaving = connections?.get(connection)
      if (!connections || !leaving) return false
      connections.delete(connection)
      if (connections.size === 0) channels.delete(channel)
      return ![...connections.values()].some((it) => it.user_id === leaving.user_id)
    },
    refresh: async () => [],
  }
}

/** A connection that its server has not refreshed for this long is removed, ms. */
const EXPIRES_AFTER = 150_000
const keyOf = (channel: string) => `todoke:presence:${channel}`

const entry = v.pipe(v.string(), v.parseJson(), v.object({ member, seen: v.number() }))

function entriesOf(hash: Record<string, string>): { connection: string; member: Member; seen: number }[] {
  return Object.entries(hash).flatMap(([connection, text]) => {
    const read = v.safeParse(entry, text)
    return read.success ? [{ connection, ...read.output }] : []
  })
}

/** Without a reply of Redis, each server has only its own members. @param clock ms since 1970 */
export function createSharedPresence(redis: RedisCommands, clock: () => number): Presence {
  const own = createMemoryPresence()
  const entriesIn = async (channel: string) => {
    const entries = entriesOf(await redis.hgetall(keyOf(channel)))
    return {
      current: entries.filter((it) => clock() - it.seen < EXPIRES_AFTER),
      expired: entries.filter((it) => clock() - it.seen >= EXPIRES_AFTER),
    }
  }
  const write = async (channel: string, connection: string, it: Member) => {
    await redis.hset(keyOf(channel), connection, JSON.stringify({ member: it, seen: clock() }))
    await redis.pexpire(keyOf(channel), 2 * EXPIRES_AFTER)
  }
  const localMembers = new Map<string, Member>()
  return {
    async enter(channel, connection, joining) {
      localMembers.set(`${channel} ${connection}`, joining)
      const ownResult = await own.enter(channel, connection, joining)
      try {
        await write(channel, connection, joining)
        const { current } = await entriesIn(channel)
        const others = current.filter((it) => it.connection !== connection)
        const first = !others.some((it) => it.member.user_id === joining.user_id)
        return { members: peopleOf([...others.map((it) => it.member), joining]), first }
      } catch {
        return ownResult
      }
    },
    async leave(channel, connection) {
      const leaving = localMembers.get(`${channel} ${connection}`)
      localMembers.delete(`${channel} ${connection}`)
      const ownResult = await own.leave(channel, connection)
      try {
        await redis.hdel(keyOf(channel), connection)
        const { current } = await entriesIn(channel)
        return !current.some((it) => it.member.user_id === leaving?.user_id)
      } catch {
        return ownResult
      }
    },
    async refresh(channels) {
      const lost: { channel: string; userId: string }[] = []
      for (const [channel, connections] of channels) {
        for (const connection of connections) {
          const it = localMembers.get(`${channel} ${connection}`)
          if (it) await write(channel, connection, it)
        }
        const { current, expired } = await entriesIn(channel)
        for (const { connection, member: left } of expired) {
          const removed = await redis.hdel(keyOf(channel), connection)
          const still = current.some((it) => it.member.user_id === left.user_id)
          if (removed === 1 && !still) lost.push({ channel, userId: left.user_id })
        }
      }
      return lost
    },
  }
}
