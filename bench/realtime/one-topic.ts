// The baseline: a server without subscribers that parses every message of one topic.
import { Redis } from 'ioredis'
import * as v from 'valibot'

const [port = '', topic = ''] = process.argv.slice(2)

const message = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ channel: v.string(), text: v.string(), except: v.optional(v.string()) }),
)
/** Channels with connections here: none of those that messages name. */
const channels = new Map<string, Set<string>>()

const redis = new Redis(Number(port), '127.0.0.1')
let received = 0
redis.on('message', (_topic, text: string) => {
  const read = v.safeParse(message, text.slice(text.indexOf(' ') + 1))
  if (read.success && channels.has(read.output.channel)) process.exit(1)
  received += 1
})
await redis.subscribe(topic)
/** Replies to each request with the number of messages so far. */
process.on('message', () => process.send?.(received))
process.send?.(received)
