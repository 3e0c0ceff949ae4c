// The person's mutations that the server has not answered yet: shown at once, stored until they are done, reported when
// they are refused. Screens show what the device has stored.
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { MemoryPage } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { Memory } from './memory.ts'
import { createPageQueue } from './page-queue.ts'
import { bearer } from '#src/domain/api/api.ts'
import { loadQueryCache } from '#src/domain/queries/lazy-query-cache.ts'
import { queuePort } from './queue-port.ts'
import { createStore, useStore } from '#src/lib/store.ts'
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
  readonly code: FailureCode
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

/** Code that could not be loaded is loaded again after this, ms. */
const AGAIN_MS = 15_000

let stored: readonly MutationJob[] = []
/** Where the device has no room; absent as long as it always had. */
let memory: Memory | undefined
/** Answered: what they changed is read already. */
const answered = new Set<string>()
const shown = createStore<Shown>({ open: new Map(), refused: [], waitHere: 0, waitForeign: 0 })
let again: ReturnType<typeof setTimeout> | undefined
let started: Promise<void> | undefined

const device = () => import('#device/mutations/mutations.ts')

const inMemory = (): readonly MutationJob[] => memory?.all() ?? []
const openInMemory = () => inMemory().filter(({ stage }) => stage.is !== 'failed')

function show(): void {
  const open = new Map<string, ShownMutation[]>()
  const refused: RefusedMutation[] = []
  const here = new Set([...openInMemory(), ...line.all()].map((it) => it.id))
  const list = ({ id, form, stage, ...job }: MutationJob, isHere: boolean) => {
    const it = { id, act: form.mutation, about: form.about, waits: waitOf(job), here: isHere }
    if (stage.is === 'failed') refused.push({ ...it, code: stage.code })
    else if (!answered.has(id)) add(open, it)
  }
  // The worker may have stored what this page still has, or had refused: it is shown once.
  for (const job of stored) if (job.stage.is === 'failed' || !here.has(job.id)) list(job, false)
  for (const job of inMemory()) if (job.stage.is !== 'failed' || !isStored(job.id)) list(job, true)
  for (const it of line.all()) add(open, { ...it, waits: false, here: false })
  const waiting = [...open.values()].flat().filter((it) => it.waits)
  const waitHere = waiting.some((it) => it.here) ? openInMemory().length : 0
  shown.set({ open, refused, waitHere, waitForeign: waiting.filter((it) => it.waits === 'foreign').length })
}

const isStored = (id: string): boolean => stored.some((it) => it.id === id)

/** A single foreign answer may be a proxy's while the server starts again. */
const FOREIGN_ANSWERS = 2

function waitOf({ attempts, wait }: Pick<MutationJob, 'attempts' | 'wait'>): MutationWait {
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

let latestTurn = 0
async function read(): Promise<void> {
  const seen = viewer.get()
  const turn = ++latestTurn
  const acts = seen.is === 'authenticated' ? await (await device()).listMutations(seen.user.id) : []
  if (turn !== latestTurn) return
  stored = acts
  for (const { id, stage } of acts) if (stage.is === 'failed') remove(id)
  show()
}

async function start(): Promise<void> {
  const { onChange } = await import('#device/database/changes.ts')
  onChange((change) => {
    if (change.store !== 'acts') return
    if (change.answered) void take(change.id, change.answered.mutation, change.answered.reply)
    else void read()
  })
  viewer.subscribe(meet)
  window.addEventListener('online', tryAgain)
  // An app that is swiped away is hidden, without a further event.
  window.addEventListener('pagehide', leave)
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? leave() : tryAgain(),
  )
  await read()
}

/** The network or the room may be back. */
function tryAgain(): void {
  line.go()
  memory?.nudge()
}

/** The page closes or is frozen: mutations that are not stored by now may be lost. A page that comes back continues. */
function leave(): void {
  const held = openInMemory().map(({ id, ownerId, form }) => ({ id, ownerId, ...form }))
  const acts = [...held, ...line.all().map(({ act: mutation, ...it }) => ({ ...it, mutation }))]
  const [first] = acts
  const unowned = acts.map(({ id, mutation, about }) => ({ id, mutation, about }))
  if (first) queuePort.leave(first.ownerId, unowned)
}

/** Another person, or none: mutations of the previous person are not sent for them. */
function meet(): void {
  const seen = viewer.get()
  const id = seen.is === 'authenticated' ? seen.user.id : undefined
  line.retain((it) => it.ownerId === id)
  memory?.retain(id)
  void read()
}

/** The message carries the mutation: the worker may delete its row before this page has read it. */
async function take(id: string, mutation: Mutation, reply: unknown): Promise<void> {
  remove(id)
  await seeReply(id, mutation, reply)
  show()
}

/** The server has answered it: this page has nothing to do for it, or for earlier ones about the same target. */
function remove(id: string): void {
  const about = line.dropUpTo(id)
  if (about === undefined) memory?.dropUpTo(id)
  else memory?.dropAbout(about)
}

/** Once, though it was sent by this page and by the worker. */
async function seeReply(id: string, mutation: Mutation, reply: unknown): Promise<void> {
  if (answered.has(id)) return
  answered.add(id)
  const [{ queryClient }, { takeReply }] = await Promise.all([loadQueryCache(), import('./reply-effects.ts')])
  takeReply(queryClient, mutation, reply)
}

function subscribe(listener: () => void): () => void {
  started ??= start().catch((error: unknown) => {
    started = undefined
    console.warn('no acts here', error)
  })
  return shown.subscribe(listener)
}

const none: readonly ShownMutation[] = []

/** What was done about something and is not answered yet, oldest first. */
export function useOpenMutations(about: string): readonly ShownMutation[] {
  return useStore({ get: () => shown.get().open.get(about) ?? none, subscribe })
}

/** What the server refused and the person has not put away. */
export function useRefusedMutations(): readonly RefusedMutation[] {
  return useStore({ get: () => shown.get().refused, subscribe })
}

/** How many mutations this page alone has, stored nowhere. */
export const pageMutations = (): number => openInMemory().length

/** How many mutations wait in this page alone, on a device without room. */
export function useWaitingHere(): number {
  return useStore({ get: () => shown.get().waitHere, subscribe })
}

/** How many mutations wait because something else answers in the server's place. */
export function useForeignMutations(): number {
  return useStore({ get: () => shown.get().waitForeign, subscribe })
}

const line = createPageQueue<Pressed>({
  store: ({ id, act: mutation, about, ownerId }) => store(ownerId, { mutation, about, id }),
  async hold({ id, act: mutation, about, ownerId }) {
    memory ??= await (await import('./memory.ts')).openMemory(page, show)
    memory.add(ownerId, { id, mutation, about })
  },
  isHolding: () => openInMemory().length > 0,
  later(work) {
    clearTimeout(again)
    again = setTimeout(work, AGAIN_MS)
  },
  changed: show,
})

/** @returns false on a device that stores nothing (a private window, no room) */
async function store(ownerId: string, mutation: NewMutation): Promise<boolean> {
  try {
    await (await device()).queueMutation(ownerId, mutation, Date.now())
  } catch (error) {
    console.warn('this device stores no mutations', error)
    return false
  }
  queuePort.ring()
  await read().catch(() => undefined)
  return true
}

const page: MemoryPage = {
  store: ({ id, ownerId, form }) => store(ownerId, { ...form, id }),
  session() {
    const seen = viewer.get()
    return seen.is === 'authenticated' && bearer.token !== undefined
      ? { user: seen.user, token: bearer.token }
      : undefined
  },
  async refused(token) {
    if ((await bearer.renewed(token)) === undefined) bearer.refused()
  },
  onReply: ({ id, form }, reply) =>
    void take(id, form.mutation, reply).catch((error: unknown) =>
      console.warn('an answer was not read', error),
    ),
}

/**
 * Runs a mutation: shown at once, and sent when there is a network, with this page open or not.
 * @param about name of the author or the person it concerns
 * @param id of the created comment: repeated requests create one
 */
export async function mutate(mutation: Mutation, about: string, id: string = newId()): Promise<void> {
  const seen = viewer.get()
  const isOver = answered.has(id) || inMemory().some((it) => it.id === id)
  if (seen.is === 'authenticated' && !isOver)
    await line.add({ id, act: mutation, about, ownerId: seen.user.id })
}

/** The person has read why it was refused, or takes it back. */
export async function dismissRefused(id: string): Promise<void> {
  memory?.drop(id)
  show()
  if (isStored(id)) await (await device()).dropMutation(id)
}

/** Tries a refused mutation once more, as the same. */
export async function retryRefused({ id, act: mutation, about }: ShownMutation): Promise<void> {
  await dismissRefused(id).catch(() => undefined)
  await mutate(mutation, about, id)
}
