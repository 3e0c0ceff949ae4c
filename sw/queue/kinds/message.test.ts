// A message with files in the queue: its files, then one request, then nothing remains.
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '#sw/queue/ports.ts'
import { messageJob } from '#device/testing/jobs.ts'
import { applyPersonEvent } from '#sw/queue/machines/machines.ts'
import { FILE } from '#sw/testing/job-after.ts'
import { queue, session, succeed } from '#sw/testing/one-job.ts'

afterEach(() => vi.restoreAllMocks())

const ends = async (outcome: Outcome<never>) => outcome

describe('a message with files', () => {
  const files = [
    { id: FILE, size: 10 },
    { id: 'second', size: 4 },
  ]
  const sizeOf = (id: string) => files.find((it) => it.id === id)?.size ?? 0
  const sendWhole: NonNullable<Parameters<typeof queue>[1]['send']> = async (_job, id, onProgress) => {
    await onProgress({ offset: sizeOf(id) })
    return { is: 'ok', value: null }
  }
  const submitMessage = async (): Promise<Outcome<{ id: string }>> => ({ is: 'ok', value: { id: 'm1' } })

  test('is sent once after each of its files, then deleted without a notice', async () => {
    const it = queue(messageJob(files), { send: sendWhole, submitMessage })
    await it.runner.drain()
    expect([it.log, it.notices]).toEqual([['send', 'send', 'submitMessage', 'finish'], []])
  })

  test('sends a file again that the server has lost, and then the message', async () => {
    const first: Outcome<null>[] = [{ is: 'gone' }]
    const it = queue(messageJob(files.slice(0, 1)), {
      send: async (job, id, onProgress, signal) => first.shift() ?? sendWhole(job, id, onProgress, signal),
      submitMessage,
    })
    await it.runner.drain()
    expect(it.log).toEqual(['send', 'send', 'submitMessage', 'finish'])
  })

  test('that was refused keeps its files and shows a notice that leads to its conversation', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const message = messageJob(files)
    const it = queue(message, {
      send: sendWhole,
      submitMessage: () => ends({ is: 'refused', code: 'forbidden' }),
    })
    await it.runner.drain()
    const { recipientId: userId } = message.form
    expect(it.shown).toEqual([{ is: 'messageFailed', jobId: message.id, userId }])
    expect(it.state.row?.stage).toEqual({ is: 'failed', code: 'forbidden' })
    expect(it.state.row?.files.map(({ state }) => state.is)).toEqual(['sent', 'sent'])
  })

  test('that was refused removes its files from the server when it is deleted', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const it = queue(messageJob(files), {
      send: sendWhole,
      discard: succeed,
      submitMessage: () => ends({ is: 'refused', code: 'forbidden' }),
    })
    await it.runner.drain()
    const failed = it.state.row
    if (!failed) throw new Error('the refused message has disappeared')
    it.state.row = applyPersonEvent(failed, { type: 'cancelled' }) as typeof failed
    await it.runner.drain()
    expect(it.log.slice(-3)).toEqual(['discard', 'discard', 'drop'])
  })

  test('waits for its owner while another person is signed in', async () => {
    const it = queue(messageJob(files), { send: sendWhole, submitMessage })
    it.state.session = session('ren')
    await it.runner.drain()
    expect(it.log).toEqual([])
    it.state.session = session('aoi')
    await it.runner.drain()
    expect(it.log).toEqual(['send', 'send', 'submitMessage', 'finish'])
  })
})
