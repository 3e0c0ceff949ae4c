// Whether a Redis has sharded pub/sub, which came with version 7.
import type { RedisCommands } from '#server/adapters/redis.ts'

/** Asked of the server itself: forks of Redis have version numbers of their own. */
export async function hasShardedTopics(redis: Pick<RedisCommands, 'call'>): Promise<boolean> {
  const [command] = (await redis.call('COMMAND', 'INFO', 'SPUBLISH')) as [unknown?]
  return Array.isArray(command) && command.length > 0
}
