// The person's mutations that the server has not answered yet: shown at once, stored until they are done, reported when
// they are refused. Screens show what the device has stored.
import { useSyncExternalStore } from 'react'
import { aboutOf, type Mutation, endpointOf } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import type { MutationJob, FailureCode as DeviceFailure } from '#device/database/schema.ts'
import { createPageQueue, type Sent } from './page-queue.ts'
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { ApiFailure, call, type FailureCode } from '#src/domain/api/api.ts'
import { loadQueryCache } from '#src/domain/queries/lazy-query-cache.ts'
import { queuePort } from './queue-port.ts'
import { viewer } from '#src/domain/session/session.ts'

/** What a mutation that was tried waits for: the network, or the server in whose place something else answers. */
export type MutationWait = false | 'network' | 'foreign'

export interface ShownMutation {
  readonly id: string
  readonly act: Mutation
  /** Whose post, comment or profile it is about. */
  readonly about: string
  readonly waits: MutationWait
  /** This page alone has it: the device has no room. */
  readonly here: boolean
}
export interface RefusedMutation extends ShownMutation {
  readonly code: FailureCode | DeviceFailure
}

interface Shown {
  /** By what they are about, oldest first. */
  readonly open: ReadonlyMap<string, readonly ShownMutation[]>
  readonly refused: readonly RefusedMutation[]
  /** How many wait in this page alone. */
  readonly waitHere: number
  /** How many wait because something else answers in the server's place. */
  readonly waitForeign: number
}

/** On its way to the device. */
interface Pressed {
  readonly id: string
  readonly act: Mutation
  readonly about: string
  readonly ownerId: string
}

/** What waits in this page is tried again after this, ms. */
const AGAIN_MS = 15_000

let stored: readonly MutationJob[] = []
/** Refused on a device that keeps nothing. */
let unkept: readonly RefusedMutation[] = []
/** Answered: what they changed is read already. */
const answered = new Set<string>()
let shown: Shown = { open: new Map(), refused: [], waitHere: 0, waitForeign: 0 }
let whose: string | undefined
let again: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
let started: Promise<void> | undefined

const device = () => import('#device/mutations/mutations.ts')

function show(): void {
  const open = new Map<string, ShownMutation[]>()
  // The worker may have stored what this page has still, or had refused: it is shown once, where it was done.
  const refused: RefusedMutation[] = unkept.filter(({ id }) => !stored.some((it) => it.id === id))
  const inLine = new Set(line.all().map((it) => it.id))
  for (const { id, form, facts } of stored) {
    const it = { id, act: form.act, about: form.about, waits: waitOf(facts), here: false }
    if (facts.ending.is === 'failed') refused.push({ ...it, code: facts.ending.code })
    else if (!answered.has(id) && !inLine.has(id)) add(open, it)
  }
  const here = line.state() !== 'storing'
  const isWaiting = line.state() === 'waiting'
  for (const it of line.all()) add(open, { ...it, waits: isWaiting && 'network', here })
  const waitForeign = [...open.values()].flat().filter((it) => it.waits === 'foreign').length
  shown = { open, refused, waitHere: isWaiting ? line.all().length : 0, waitForeign }
  for (const listener of listeners) listener()
}

/** A single foreign answer may be a proxy's while the server starts again. */
const FOREIGN_ANSWERS = 2

function waitOf({ attempts, wait }: MutationJob['facts']): MutationWait {
  if (attempts === 0) return false
  return wait.foreign && attempts >= FOREIGN_ANSWERS ? 'foreign' : 'network'
}

function add(open: Map<string, ShownMutation[]>, it: ShownMutation): void {
  const about = aboutOf(it.act)
  const before = open.get(about) ?? []
  // What comes after one that waits waits with it.
  const waits = it.waits || (before.find((other) => other.waits)?.waits ?? false)
  open.set(about, [...before, { ...it, waits }])
}

let asked = 0
async function read(): Promise<void> {
  const seen = viewer.get()
  const turn = ++asked
  const acts = seen.is === 'authenticated' ? await (await device()).listMutations(seen.user.id) : []
  if (turn !== asked) return
  stored = acts
  for (const { id, facts } of acts) if (facts.ending.is === 'failed') line.over(id)
  show()
}

async function start(): Promise<void> {
  const { onChange } = await import('#device/database/changes.ts')
  onChange((change) => {
    if (change.store !== 'acts') return
    if (change.reply !== undefined) void take(change.id, change.reply)
    else void read()
  })
  viewer.subscribe(meet)
  window.addEventListener('online', line.go)
  // An app that is swiped away is hidden, and told nothing more.
  window.addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())
  await read()
}

/** The page goes, or sleeps: what it has not stored by now it may never store. One that comes back goes on with it. */
function leave(): void {
  const [first] = line.all()
  const acts = line.all().map(({ id, act, about }) => ({ id, act, about }))
  if (first) queuePort.leave(first.ownerId, acts)
}

/** Somebody else, or nobody: what the one before did is not done for them. */
function meet(): void {
  const seen = viewer.get()
  const id = seen.is === 'authenticated' ? seen.user.id : undefined
  line.keepOnly((it) => it.ownerId === id)
  if (id !== whose) unkept = []
  whose = id
  void read()
}

async function take(id: string, reply: unknown): Promise<void> {
  const act = stored.find((it) => it.id === id)?.form.act ?? line.all().find((it) => it.id === id)?.act
  if (!act) return
  line.over(id)
  await seeReply(id, act, reply)
  show()
}

/** Once, though it was sent by this page and by the worker. */
async function seeReply(id: string, act: Mutation, reply: unknown): Promise<void> {
  if (answered.has(id)) return
  answered.add(id)
  const [{ queryClient }, { takeReply }] = await Promise.all([loadQueryCache(), import('./reply-effects.ts')])
  takeReply(queryClient, act, reply)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  started ??= start().catch((error: unknown) => {
    started = undefined
    console.warn('no acts here', error)
  })
  return () => void listeners.delete(listener)
}

const none: readonly ShownMutation[] = []

/** What was done about something and is not answered yet, oldest first. */
export function useOpenMutations(about: string): readonly ShownMutation[] {
  return useSyncExternalStore(subscribe, () => shown.open.get(about) ?? none)
}

/** What the server refused and the person has not put away. */
export function useRefusedMutations(): readonly RefusedMutation[] {
  return useSyncExternalStore(subscribe, () => shown.refused)
}

/** How many mutations this page alone has, stored nowhere. */
export const pageMutations = (): number => (line.state() === 'storing' ? 0 : line.all().length)

/** How many mutations wait in this page alone, on a device without room. */
export function useWaitingHere(): number {
  return useSyncExternalStore(subscribe, () => shown.waitHere)
}

/** How many mutations wait because something else answers in the server's place. */
export function useForeignMutations(): number {
  return useSyncExternalStore(subscribe, () => shown.waitForeign)
}

const line = createPageQueue<Pressed>({
  async keep({ id, act, about, ownerId }) {
    try {
      await (await device()).queueMutation(ownerId, { act, about, id }, Date.now())
    } catch (error) {
      console.warn('this device keeps no acts', error)
      return false
    }
    queuePort.ring()
    await read().catch(() => undefined)
    return true
  },
  send,
  refused({ id, act, about }, code) {
    unkept = [...unkept, { id, act, about, code, waits: false, here: true }]
  },
  later(work) {
    clearTimeout(again)
    again = setTimeout(work, AGAIN_MS)
  },
  changed: show,
})

/** A device that keeps nothing (a private window, no room) still does what it can while this page is open. */
async function send({ id, act }: Pressed): Promise<Sent> {
  const endpoint = endpointOf(act)
  try {
    const reply = await call(endpoint, { params: act.params, body: act.body })
    await seeReply(id, act, reply).catch((error: unknown) => console.warn('an answer was not seen', error))
    return { is: 'done' }
  } catch (error) {
    if (isAway(error)) return { is: 'away' }
    return { is: 'refused', code: error instanceof ApiFailure ? error.code : 'internal' }
  }
}

/**
 * Does something small: seen at once, and sent when there is a network, with this page open or not.
 * @param about whose post, comment or profile it is about
 * @param id of what it makes, where it makes something: asked for again, it is done once
 */
export async function mutate(act: Mutation, about: string, id: string = newId()): Promise<void> {
  const seen = viewer.get()
  const over = answered.has(id) || unkept.some((it) => it.id === id)
  if (seen.is === 'authenticated' && !over) await line.add({ id, act, about, ownerId: seen.user.id })
}

/** The person has read why it was refused, or takes it back. */
export async function dismissRefused(id: string): Promise<void> {
  unkept = unkept.filter((it) => it.id !== id)
  show()
  if (stored.some((it) => it.id === id)) await (await device()).dropMutation(id)
}

/** Tries a refused mutation once more, as the same. */
export async function retryRefused({ id, act, about }: ShownMutation): Promise<void> {
  await dismissRefused(id).catch(() => undefined)
  await mutate(act, about, id)
}
