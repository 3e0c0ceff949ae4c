// Whether the mail relay accepts this server, asked at most once a minute.
import type { mailStates } from '#contract/health.ts'
import { withTimeLimit } from '#server/services/runtime/time-limit.ts'

type MailState = (typeof mailStates)[number]

export interface FoundRelay {
  readonly state: MailState
  /** Codes of the failure, without the text of the relay, which may quote a name; '' otherwise. */
  readonly reason: string
}

export interface RelayWatch {
  /** The state of the last minute. A caller waits for a new check only for a moment, and else gets the state before. */
  find(): Promise<FoundRelay>
  /** Called with the first state and each other one. */
  onChange(tell: (it: FoundRelay) => void): void
}

interface Ports {
  /** Signs in at the relay. */
  readonly check: () => Promise<void>
  /** Milliseconds since 1970, which go on by themselves. */
  readonly clock: () => number
}

/** A state this recent is returned again, ms: the relay is asked no more often, for any number of callers. */
export const FRESH = 60_000
/** A check that takes longer has failed, ms. */
const CHECK_TIME = 10_000
/** How long a caller waits for a check, ms. */
const WAIT = 500

function failureOf(error: unknown): FoundRelay {
  const { code = '', responseCode } = error as { code?: string; responseCode?: number }
  const reason = [code, responseCode ?? ''].filter((it) => it !== '').join(' ')
  const isRefused = code === 'EAUTH' || responseCode !== undefined
  return { state: isRefused ? 'refused' : 'unreachable', reason }
}

export function createRelayWatch({ check, clock }: Ports): RelayWatch {
  let last: FoundRelay & { readonly at: number } = { state: 'unknown', reason: '', at: -Infinity }
  let running: Promise<FoundRelay> | undefined
  const tellers: ((it: FoundRelay) => void)[] = []
  const ask = async (): Promise<FoundRelay> => {
    const found = await withTimeLimit(check(), CHECK_TIME).then(
      (): FoundRelay => ({ state: 'ok', reason: '' }),
      failureOf,
    )
    const isOther = found.state !== last.state
    last = { ...found, at: clock() }
    if (isOther) for (const tell of tellers) tell(found)
    return found
  }
  return {
    async find() {
      if (clock() - last.at < FRESH) return last
      running ??= ask().finally(() => (running = undefined))
      return withTimeLimit(running, WAIT).catch(() => last)
    },
    onChange: (tell) => void tellers.push(tell),
  }
}
