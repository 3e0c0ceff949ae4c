// Reads the urgent notices for this person, and remembers which bars were closed.
import * as v from 'valibot'
import { closeBar, listBars } from '#contract/notices/notices.ts'
import { personChannel } from '#contract/realtime/channels.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { listen, onRecovered } from '#src/domain/realtime/realtime.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { createStore } from '#src/lib/store.ts'

/** Urgent notices by their ids, and the bar of the settings at runtime by its key, with its link or null. */
export type Bars = readonly {
  readonly id: string
  readonly title: string
  readonly link?: string | null
}[]

export const bars = createStore<Bars>([])

/** Ids and keys of bars that were closed on this device; members' notices are also on the server. */
const closed = createPersistedValue(
  () => localStorage,
  'todoke-closed-bars',
  v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(50)),
)

/** Bars are read again at most this often after live events, and this often without them, ms. */
const READ_AT_MOST = 5000
const READ_EVERY = 10 * 60_000

let read = 0

/** Without a reply the bars stay as they are. */
export async function readBars(): Promise<void> {
  const mine = ++read
  try {
    const reply = await call(listBars, {})
    await released()
    // A later read, or a change of the person, is newer.
    if (mine !== read) return
    const hidden = new Set(closed.read())
    const { bar } = reply
    const all: Bars = bar ? [{ id: bar.key, title: bar.text, link: bar.link }, ...reply.bars] : reply.bars
    bars.set(all.filter((it) => !hidden.has(it.id)))
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure
  }
}

/** Resolves when no finger or button is down: a bar must not move what is being pressed. */
async function released(): Promise<void> {
  if (!pressed) return
  await new Promise<void>((resolve) => {
    const done = () => setTimeout(resolve, 300)
    addEventListener('pointerup', done, { once: true })
    addEventListener('pointercancel', done, { once: true })
  })
}
let pressed = false

/** @param remembers whether the closing is also remembered on the server, for a member's notice */
export async function closeBarOf(noticeId: string, remembers: boolean): Promise<void> {
  closed.save([noticeId, ...(closed.read() ?? [])].slice(0, 50))
  bars.set(bars.get().filter((it) => it.id !== noticeId))
  if (!remembers) return
  try {
    await call(closeBar, { params: { notice_id: noticeId } })
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure
  }
}

/** Reads the bars now, at times and after live events, for one person. @returns stops it */
export function watchBars(userId: string | undefined): () => void {
  const limiter = createCallLimiter(READ_AT_MOST, () => void readBars())
  const down = () => (pressed = true)
  const up = () => (pressed = false)
  const seen = () => document.visibilityState === 'visible' && limiter.call()
  addEventListener('pointerdown', down)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', up)
  document.addEventListener('visibilitychange', seen)
  const timer = setInterval(limiter.call, READ_EVERY)
  const stops = [
    ...(userId === undefined ? [] : [listen(personChannel(userId), 'notifications.changed', limiter.call)]),
    ...(userId === undefined ? [] : [onRecovered(limiter.call)]),
    limiter.cancel,
  ]
  bars.set([])
  void readBars()
  return () => {
    read += 1
    clearInterval(timer)
    removeEventListener('pointerdown', down)
    removeEventListener('pointerup', up)
    removeEventListener('pointercancel', up)
    document.removeEventListener('visibilitychange', seen)
    stops.forEach((stop) => stop())
  }
}
