// Messages between pages and worker. The state of the queue is shared through the database instead.
import * as v from 'valibot'
import { mutation } from '#contract/mutations/mutations.ts'
import { id } from '#contract/ids.ts'

export const toWorker = v.variant('type', [
  /** Something was queued or changed: run the queue. */
  v.object({ type: v.literal('deliver') }),
  /** The network or the person is back: try waiting jobs now, then run the queue. */
  v.object({ type: v.literal('nudge') }),
  /** The answer to `tick`: an event that keeps the worker alive. */
  v.object({ type: v.literal('tock') }),
  /** A person signed in or out. */
  v.object({ type: v.literal('person') }),
  /**
   * Notifications that were read in the app, and people whose conversations were; without any, a count of unread ones fell,
   * perhaps through another device.
   */
  v.object({ type: v.literal('read'), ids: v.array(id), people: v.optional(v.array(id), []) }),
  /** Mutations of a closing page that the device has not stored yet, in their order; their number is not limited. */
  v.object({
    type: v.literal('acts'),
    userId: id,
    acts: v.array(v.object({ id, act: mutation, about: v.string() })),
  }),
  /** Read the byte probe of this key, and answer on the message's port. */
  v.object({ type: v.literal('probe'), key: v.string() }),
  /** The person accepted the new version: the old one ends its events, since the new one waits for them. */
  v.object({ type: v.literal('step-aside') }),
  /** Sent to the new version: take over. */
  v.object({ type: v.literal('take-over') }),
])
export type ToWorker = v.InferOutput<typeof toWorker>

export const toPage = v.variant('type', [
  /** The worker delivers: answer with `tock`. */
  v.object({ type: v.literal('tick') }),
  /** A notice was pressed: show this page, and confirm on the message's port. */
  v.object({ type: v.literal('go'), path: v.string() }),
  /** Asks whether the person sees this page now: answered on the message's port. */
  v.object({ type: v.literal('looking'), path: v.string() }),
])
export type ToPage = v.InferOutput<typeof toPage>
