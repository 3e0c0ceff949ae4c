// Members of presence channels: of this process, or of all servers on one Redis.
import type { Redis } from 'ioredis'
import * as v from 'valibot'

const member = v.object({ user_id: v.string(), user_info: v.object({ name: v.string() }) })
export type Member = v.InferOutput<typeof member>

/** One person may be there by several connections: they come with the first and go with the last. */
export interface Presence {
  /** @returns everybody there now, and whether this person was not */
  enter(channel: string, connection: string, member: Member): Promise<{ members: Member[]; first: boolean }>
  /** @returns whether that was the person's last connection there */
  leave(channel: string, connection: string): Promise<boolean>
  /** Says that these connections are still there. @returns members of servers that ended without a word, by channel */
  keep(channels: ReadonlyMap<string, readonly string[]>): Promise<{ channel: string; userId: string }[]>
}

function peopleOf(members: Iterable<Member>): Member[] {
  return [...new Map([...members].map((it) => [it.user_id, it])).values()]
}

export function createMemoryPresence(): Presence {
  const channels = new Map<string, Map<string, Member>>()
  return {
    async enter(channel, connection, entering) {
      const there = channels.get(channel) ?? new Map<string, Member>()
      channels.set(channel, there)
      const first = ![...there.values()].some((it) => it.user_id === entering.user_id)
      there.set(connection, entering)
      return { members: peopleOf(there.values()), first }
    },
    async leave(channel, connection) {
      const there = channels.get(channel)
      const leaving = there?.get(connection)
      if (!there || !leaving) return false
      there.delete(connection)
      if (there.size === 0) channels.delete(channel)
      return ![...there.values()].some((it) => it.user_id === leaving.user_id)
    },
    keep: async () => [],
  }
}

/** A connection not spoken for during this long has gone with its server, ms. */
const GONE_AFTER = 150_000
const keyOf = (channel: string) => `todoke:presence:${channel}`

const entry = v.pipe(v.string(), v.parseJson(), v.object({ member, seen: v.number() }))

function entriesOf(hash: Record<string, string>): { connection: string; member: Member; seen: number }[] {
  return Object.entries(hash).flatMap(([connection, text]) => {
    const read = v.safeParse(entry, text)
    return read.success ? [{ connection, ...read.output }] : []
  })
}

/** While the Redis does not answer, each server knows its own. @param clock ms since 1970 */
export function createSharedPresence(redis: Redis, clock: () => number): Presence {
  const own = createMemoryPresence()
  const alive = async (channel: string) => {
    const entries = entriesOf(await redis.hgetall(keyOf(channel)))
    return {
      there: entries.filter((it) => clock() - it.seen < GONE_AFTER),
      gone: entries.filter((it) => clock() - it.seen >= GONE_AFTER),
    }
  }
  const write = async (channel: string, connection: string, it: Member) => {
    await redis.hset(keyOf(channel), connection, JSON.stringify({ member: it, seen: clock() }))
    await redis.pexpire(keyOf(channel), 2 * GONE_AFTER)
  }
  const mine = new Map<string, Member>()
  return {
    async enter(channel, connection, entering) {
      mine.set(`${channel} ${connection}`, entering)
      const alone = await own.enter(channel, connection, entering)
      try {
        await write(channel, connection, entering)
        const { there } = await alive(channel)
        const others = there.filter((it) => it.connection !== connection)
        const first = !others.some((it) => it.member.user_id === entering.user_id)
        return { members: peopleOf([...others.map((it) => it.member), entering]), first }
      } catch {
        return alone
      }
    },
    async leave(channel, connection) {
      const leaving = mine.get(`${channel} ${connection}`)
      mine.delete(`${channel} ${connection}`)
      const alone = await own.leave(channel, connection)
      try {
        await redis.hdel(keyOf(channel), connection)
        const { there } = await alive(channel)
        return !there.some((it) => it.member.user_id === leaving?.user_id)
      } catch {
        return alone
      }
    },
    async keep(channels) {
      const lost: { channel: string; userId: string }[] = []
      for (const [channel, connections] of channels) {
        for (const connection of connections) {
          const it = mine.get(`${channel} ${connection}`)
          if (it) await write(channel, connection, it)
        }
        const { there, gone } = await alive(channel)
        for (const { connection, member: left } of gone) {
          const removed = await redis.hdel(keyOf(channel), connection)
          const still = there.some((it) => it.member.user_id === left.user_id)
          if (removed === 1 && !still) lost.push({ channel, userId: left.user_id })
        }
      }
      return lost
    },
  }
}
