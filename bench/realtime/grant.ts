// Signs grants of channels as the server does, so that a bench needs no people.
import { createHmac } from 'node:crypto'

/** Connections of one person, below the limit. */
const OF_ONE_PERSON = 20

/** The signed grant of one connection. @param n number of the connection */
export function grantOf(
  { key, secret }: { readonly key: string; readonly secret: string },
  { socketId, channel, n }: { readonly socketId: string; readonly channel: string; readonly n: number },
): object {
  const user = { user_id: `person-${Math.floor(n / OF_ONE_PERSON)}`, user_info: { name: 'x' } }
  const data = JSON.stringify({ ...user, session_id: `session-${n}`, at: Date.now() })
  const signature = createHmac('sha256', secret).update(`${socketId}:${channel}:${data}`).digest('hex')
  return { channel, auth: `${key}:${signature}`, channel_data: data }
}
