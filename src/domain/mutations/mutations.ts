// The account's unanswered and refused mutations, as screens show them.
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

/** Wait before code that failed to load is loaded again, ms. */
const RELOAD_MS = 15_000

let stored: readonly MutationJob[] = []
/** Mutations in memory; undefined until the device has had no room. */
let memory: Memory | undefined
/** Ids of mutations whose reply has come, and of those whose reply was applied. */
const taken = new Set<string>()
const answered = new Set<string>()
const shown = createStore<ShownMutations>({ open: new Map(), refused: [], waitInPage: 0, waitForeign: 0 })
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
  window.addEventListener('online', retry)
  // An app that is swiped away is only hidden, without a further event.
  window.addEventListener('pagehide', storeOnLeave)
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? storeOnLeave() : retry(),
  )
  await read()
}

/** Retries waiting mutations, when the network or the room may be back. */
function retry(): void {
  pageQueue.go()
  memory?.retryNow()
}

/** Lets the worker store mutations that a closing page has not stored. A page that returns continues. */
function storeOnLeave(): void {
  const fromMemory = openInMemory().map(({ id, ownerId, form }) => ({ id, ownerId, ...form }))
  const all = [...fromMemory, ...pageQueue.all()]
  const [first] = all
  const unowned = all.map(({ id, mutation, about }) => ({ id, mutation, about }))
  if (first) queuePort.storeOnLeave(first.ownerId, unowned)
}

function signedInId(): string | undefined {
  const seen = viewer.get()
  return seen.is === 'authenticated' ? seen.user.id : undefined
}

/** Drops mutations of the previous account after the account changed. */
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

/** Applies a reply. Its message has the mutation, whose row the worker may already have deleted. */
async function applyReply(id: string, it: Answered): Promise<void> {
  remove(id)
  await applyOnce(id, it)
  show()
}

/** Removes an answered mutation and earlier ones of the same target from this page. */
function remove(id: string): void {
  const about = pageQueue.dropUpTo(id)
  if (about === undefined) memory?.dropUpTo(id)
  else memory?.dropAbout(about)
}

/** Applies a reply once, even if page and worker both sent the mutation. */
async function applyOnce(id: string, { ownerId, mutation, reply }: Answered): Promise<void> {
  if (taken.has(id)) return
  taken.add(id)
  const [{ queryClient }, { applyToCache }] = await Promise.all([
    loadQueryCache(),
    import('./reply-effects.ts'),
  ])
  // The account may have changed since the request was sent: its likes and counts are the other person's.
  if (signedInId() === ownerId) applyToCache(queryClient, mutation, reply)
  // The mutation is shown until the cache has it.
  answered.add(id)
}

function subscribe(listener: () => void): () => void {
  started ??= start().catch((error: unknown) => {
    started = undefined
    console.warn('mutations are not shown', error)
  })
  return shown.subscribe(listener)
}

/** Whether a target has unanswered mutations, outside components. */
export const openMutations = { has: (about: string): boolean => shown.get().open.has(about), subscribe }

const none: readonly ShownMutation[] = []

/** Unanswered mutations of a target, oldest first. */
export function useOpenMutations(about: string): readonly ShownMutation[] {
  return useStore({ get: () => shown.get().open.get(about) ?? none, subscribe })
}

/** Refused mutations that the person has not dismissed. */
export function useRefusedMutations(): readonly RefusedMutation[] {
  return useStore({ get: () => shown.get().refused, subscribe })
}

/** Number of mutations in this page's memory alone. */
export const pageMutations = (): number => openInMemory().length

/** Number of mutations that wait in this page's memory. */
export function useWaitingOnPage(): number {
  return useStore({ get: () => shown.get().waitInPage, subscribe })
}

/** Number of mutations that wait because another program answers in place of the server. */
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

/** Stores a mutation. @returns false on a device without storage (private window, no room) */
async function store(ownerId: string, mutation: NewMutation): Promise<boolean> {
  try {
    await (await device()).queueMutation(ownerId, mutation, Date.now())
  } catch (error) {
    console.warn('this device stores no mutations', error)
    return false
  }
  queuePort.deliver()
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
 * Runs a mutation: shown at once and sent when there is a network, even if this page is closed.
 * @param about name of the author or person that it concerns
 * @param id also of the created comment, so that repeated requests create one
 */
export async function mutate(mutation: Mutation, about: string, id: string = newId()): Promise<void> {
  const seen = viewer.get()
  const isHandled = taken.has(id) || inMemory().some((it) => it.id === id)
  if (seen.is === 'authenticated' && !isHandled)
    await pageQueue.add({ id, mutation, about, ownerId: seen.user.id })
}

/** Removes a refused mutation. */
export async function dismissRefused(id: string): Promise<void> {
  memory?.drop(id)
  show()
  if (isStored(id)) await (await device()).dropMutation(id)
}

/** Sends a refused mutation again under its id. */
export async function retryRefused({ id, mutation, about }: ShownMutation): Promise<void> {
  await dismissRefused(id).catch(() => undefined)
  await mutate(mutation, about, id)
}
