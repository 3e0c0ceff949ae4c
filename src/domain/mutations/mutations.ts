// The person's mutations that the server has not answered yet: shown at once, stored until they are done, reported when
// they are refused. Screens show what the device has stored.
import type { Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { MemoryPage } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { Memory } from './memory.ts'
import { createPageQueue } from './page-queue.ts'
import { bearer } from '#src/domain/api/api.ts'
import { loadQueryCache } from '#src/domain/queries/lazy-query-cache.ts'
import { queuePort } from './queue-port.ts'
import {
  openOf,
  type PressedMutation,
  type RefusedMutation,
  type ShownMutation,
  type ShownMutations,
  shownOf,
} from './shown-mutations.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { viewer } from '#src/domain/session/session.ts'

/** Code that could not be loaded is loaded again after this, ms. */
const RELOAD_MS = 15_000

let stored: readonly MutationJob[] = []
/** Where the device has no room; absent as long as it always had. */
let memory: Memory | undefined
/** Answered: what they changed is read already. */
const answered = new Set<string>()
const shown = createStore<ShownMutations>({ open: new Map(), refused: [], waitHere: 0, waitForeign: 0 })
let reload: ReturnType<typeof setTimeout> | undefined
let started: Promise<void> | undefined

const device = () => import('#device/mutations/mutations.ts')

const inMemory = (): readonly MutationJob[] => memory?.all() ?? []
const openInMemory = () => openOf(inMemory())

function show(): void {
  shown.set(shownOf({ stored, inMemory: inMemory(), pressed: pageQueue.all(), answered }))
}

const isStored = (id: string): boolean => stored.some((it) => it.id === id)

let latestTurn = 0
async function read(): Promise<void> {
  const seen = viewer.get()
  const turn = ++latestTurn
  const rows = seen.is === 'authenticated' ? await (await device()).listMutations(seen.user.id) : []
  if (turn !== latestTurn) return
  stored = rows
  for (const { id, stage } of rows) if (stage.is === 'failed') remove(id)
  show()
}

async function start(): Promise<void> {
  const { onChange } = await import('#device/database/changes.ts')
  onChange((change) => {
    if (change.store !== 'acts') return
    if (change.answered) void applyReply(change.id, change.answered)
    else void read()
  })
  viewer.subscribe(followAccount)
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
  pageQueue.go()
  memory?.nudge()
}

/** The page closes or is frozen: mutations that are not stored by now may be lost. A page that comes back continues. */
function leave(): void {
  const inRam = openInMemory().map(({ id, ownerId, form }) => ({ id, ownerId, ...form }))
  const all = [...inRam, ...pageQueue.all()]
  const [first] = all
  const unowned = all.map(({ id, mutation, about }) => ({ id, mutation, about }))
  if (first) queuePort.leave(first.ownerId, unowned)
}

function signedInId(): string | undefined {
  const seen = viewer.get()
  return seen.is === 'authenticated' ? seen.user.id : undefined
}

/** Another person, or none: mutations of the previous person are not sent for them. */
function followAccount(): void {
  const id = signedInId()
  pageQueue.retain((it) => it.ownerId === id)
  memory?.retain(id)
  void read()
}

interface Answered {
  readonly ownerId: string
  readonly mutation: Mutation
  readonly reply: unknown
}

/** The message carries the mutation: the worker may delete its row before this page has read it. */
async function applyReply(id: string, it: Answered): Promise<void> {
  remove(id)
  await seeReply(id, it)
  show()
}

/** The server has answered it: this page has nothing to do for it, or for earlier ones about the same target. */
function remove(id: string): void {
  const about = pageQueue.dropUpTo(id)
  if (about === undefined) memory?.dropUpTo(id)
  else memory?.dropAbout(about)
}

/** Once, though it was sent by this page and by the worker. */
async function seeReply(id: string, { ownerId, mutation, reply }: Answered): Promise<void> {
  if (answered.has(id)) return
  answered.add(id)
  const [{ queryClient }, { takeReply }] = await Promise.all([loadQueryCache(), import('./reply-effects.ts')])
  // The account may have changed since the request was sent: its likes and counts are the other person's.
  if (signedInId() === ownerId) takeReply(queryClient, mutation, reply)
}

function subscribe(listener: () => void): () => void {
  started ??= start().catch((error: unknown) => {
    started = undefined
    console.warn('mutations are not shown', error)
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

const pageQueue = createPageQueue<PressedMutation>({
  store: ({ id, mutation, about, ownerId }) => store(ownerId, { mutation, about, id }),
  async hold({ id, mutation, about, ownerId }) {
    memory ??= await (await import('./memory.ts')).openMemory(page, show)
    memory.add(ownerId, { id, mutation, about })
  },
  isHolding: () => openInMemory().length > 0,
  later(work) {
    clearTimeout(reload)
    reload = setTimeout(work, RELOAD_MS)
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
  onReply: ({ id, ownerId, form: { mutation } }, reply) =>
    void applyReply(id, { ownerId, mutation, reply }).catch((error: unknown) =>
      console.warn('a reply was not applied', error),
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
    await pageQueue.add({ id, mutation, about, ownerId: seen.user.id })
}

/** The person has read why it was refused, or takes it back. */
export async function dismissRefused(id: string): Promise<void> {
  memory?.drop(id)
  show()
  if (isStored(id)) await (await device()).dropMutation(id)
}

/** Tries a refused mutation once more, as the same. */
export async function retryRefused({ id, mutation, about }: ShownMutation): Promise<void> {
  await dismissRefused(id).catch(() => undefined)
  await mutate(mutation, about, id)
}
