// Messages between pages and worker. Facts about the queue go through the database instead.
import * as v from 'valibot'
import { mutation } from '#contract/mutations/mutations.ts'
import { id } from '#contract/ids.ts'

export const toWorker = v.variant('type', [
  /** Something was queued or changed: drain. */
  v.object({ type: v.literal('deliver') }),
  /** The network or the person is back: try waiting jobs now, then drain. */
  v.object({ type: v.literal('nudge') }),
  /** The answer to `tick`: an event that keeps the worker alive. */
  v.object({ type: v.literal('tock') }),
  /** A person signed in or out. */
  v.object({ type: v.literal('person') }),
  /** Notifications the person read in the app; with no names: fewer are unread than were, it may be from elsewhere. */
  v.object({ type: v.literal('read'), ids: v.array(id) }),
  /** Acts of a page that goes before the device had them, in the order in which they were done: as many as there are. */
  v.object({
    type: v.literal('acts'),
    userId: id,
    acts: v.array(v.object({ id, act: mutation, about: v.string() })),
  }),
  /** Read the byte probe back and answer on the message's port. */
  v.object({ type: v.literal('probe'), key: v.string() }),
  /** The person agreed to the new version: the old one lets go of every event, or the new one would have to wait. */
  v.object({ type: v.literal('step-aside') }),
  /** To the new version: take over. */
  v.object({ type: v.literal('take-over') }),
])
export type ToWorker = v.InferOutput<typeof toWorker>

export const toPage = v.variant('type', [
  /** The worker delivers: answer with `tock`. */
  v.object({ type: v.literal('tick') }),
  /** A notice was pressed: show this page, and confirm on the message's port. */
  v.object({ type: v.literal('go'), path: v.string() }),
  /** Whether the person sees this very page now: answered on the message's port. */
  v.object({ type: v.literal('looking'), path: v.string() }),
])
export type ToPage = v.InferOutput<typeof toPage>
