// The search in messages as it is in the address; unknown values are ignored.
import {
  type MessagePart,
  messageParts,
  type MessageWriter,
  messageWriters,
} from '#contract/messages/search-choices.ts'
import { MAX_QUERY } from '#contract/limits.ts'

export interface MessageSearchParams {
  readonly q: string
  /** Only in the conversation with this person. */
  readonly user?: string
  readonly from?: MessageWriter
  readonly has?: MessagePart
  /** `YYYY-MM-DD`. */
  readonly since?: string
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readMessageSearch(given: Record<string, unknown>): MessageSearchParams {
  const textOf = (name: string) => {
    const value = given[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const among = <T extends string>(all: readonly T[], name: string) => all.find((it) => it === textOf(name))
  const [user, since] = [textOf('user'), textOf('since')]
  const from = among(messageWriters, 'from')
  const has = among(messageParts, 'has')
  return {
    q: Array.from(textOf('q').trim()).slice(0, MAX_QUERY).join(''),
    ...(UUID.test(user) && { user }),
    ...(from && { from }),
    ...(has && { has }),
    ...(DAY.test(since) && { since }),
  }
}
