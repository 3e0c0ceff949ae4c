// The words of the upload tray.
import { expect, test } from 'vitest'
import type { DeliveryView } from './delivery.ts'
import {
  amountOf,
  fileLineOf,
  hintOf,
  lineOf,
  mayRetry,
  percentOf,
  promiseOf,
  reasonOf,
  summaryOf,
  wantsIdentity,
} from './delivery-text.ts'
import type { UploadedFile } from './uploaded-file.ts'

const MiB = 1024 * 1024
const delivery = (change: Partial<DeliveryView> = {}): DeliveryView => ({
  id: 'job',
  kind: 'post',
  protocol: 'tus',
  title: '海',
  content: '海',
  postId: null,
  status: { is: 'sending' },
  files: [],
  percent: 42,
  bytesUploaded: 84 * MiB,
  bytesTotal: 200 * MiB,
  speed: null,
  secondsLeft: null,
  restarted: false,
  canCancel: true,
  canHurry: false,
  canDropFile: true,
  keeper: 'device',
  forAll: null,
  ...change,
})

test('while sending: how far, and how long still once that is known', () => {
  expect(lineOf(delivery())).toBe('送信中 42%')
  expect(lineOf(delivery({ secondsLeft: 170 }))).toBe('送信中 42%・残り約3分')
})

test('a failure says why and what can be done', () => {
  const failed = delivery({ status: { is: 'failed', code: 'too_large', fields: {} } })
  expect(lineOf(failed)).toBe('送信できませんでした')
  expect(reasonOf(failed)).toBe('ファイルが大きすぎます。小さいファイルを選択してください。')
  expect(reasonOf(delivery())).toBeUndefined()
})

test('a server without room is a wait with its reason, not a failure', () => {
  const waiting = delivery({ status: { is: 'noRoom', until: 0 } })
  expect(lineOf(waiting)).toBe('サーバーの空きを待っています 42%')
  expect(reasonOf(waiting)).toMatch(/^サーバーの空き容量が足りないため待っています。/)
  expect(hintOf([waiting], 'background')).toMatch(/空きができると、自動で送信します$/)
  expect(summaryOf([waiting, waiting])).toBe('サーバーの空きを待っています 42%')
})

test('another server’s answers are told with what may help', () => {
  const waiting = delivery({ status: { is: 'foreign', until: 0 } })
  expect(reasonOf(waiting)).toContain('接続先の確認が必要かもしれません')
  expect(hintOf([waiting], 'background')).toMatch(/^接続先の確認が必要かもしれません/)
  const film = { ...waiting, files: [{} as UploadedFile] }
  expect([lineOf(film), lineOf(waiting)]).toEqual([
    'サーバーの応答を待っています 42%',
    'サーバーの応答を待っています',
  ])
  expect(summaryOf([waiting, waiting])).toBe('サーバーの応答を待っています 42%')
})

test('sizes are megabytes with two decimals, with the speed while there is one', () => {
  expect(amountOf(delivery())).toBe('84.00MB / 200.00MB')
  expect(amountOf(delivery({ speed: 2.5 * MiB }))).toBe('84.00MB / 200.00MB・2.50MB/秒')
})

test('several posts share one line, but one that needs the person comes first', () => {
  const other = delivery({ percent: 0 })
  expect(summaryOf([delivery(), other])).toBe('2件を送信中 21%')
  expect(percentOf([delivery(), other])).toBe(21)
  expect(summaryOf([other, delivery({ status: { is: 'failed', code: 'internal', fields: {} } })])).toBe(
    '送信できませんでした',
  )
  expect(summaryOf([])).toBe('')
})

const file = (change: Partial<UploadedFile> = {}): UploadedFile => ({
  id: 'file',
  kind: 'video',
  state: 'started',
  name: '海.mp4',
  size: 200 * MiB,
  type: 'video/mp4',
  extension: 'mp4',
  meta: { alt: '', duration: 3 },
  progress: {
    bytesUploaded: 84 * MiB,
    bytesTotal: 200 * MiB,
    percentage: 42,
    uploadComplete: false,
    uploadStarted: true,
  },
  isPaused: false,
  error: null,
  isGhost: false,
  failedAlone: false,
  keeper: 'device',
  ...change,
})

test('a file says its state and, while it is on its way, how much of it is there', () => {
  expect(fileLineOf(file())).toBe('送信中・84.00MB / 200.00MB')
  expect(fileLineOf(file({ state: 'new' }))).toBe('送信待ち・200.00MB')
  expect(fileLineOf(file({ isGhost: true }))).toBe('この端末に保存中・200.00MB')
  expect(fileLineOf(file({ isGhost: true, state: 'errored' }))).toBe('失敗・200.00MB')
})

test('while a file is still being stored nothing is promised about a closed page', () => {
  const sending = delivery()
  expect(promiseOf([sending], 'background')).toBe('アプリを閉じても続きから送信します')
  const copying = { ...sending, files: [file({ isGhost: true })] }
  expect(promiseOf([copying], 'background')).toBe(
    'この端末への保存が終わるまで、ページを開いたままにしてください',
  )
  const failed = { ...copying, status: { is: 'failed', code: 'bytes_missing', fields: {} } as const }
  expect(promiseOf([failed, sending], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('of several that stand still, the line says why they do', () => {
  const waiting = delivery({ status: { is: 'waiting', until: 0 }, percent: 40 })
  const paused = delivery({ status: { is: 'paused' }, percent: 20 })
  expect(summaryOf([waiting, paused])).toBe('接続を待っています 30%')
  expect(summaryOf([paused, paused])).toBe('一時停止中 20%')
  expect(summaryOf([paused, delivery({ percent: 40 })])).toBe('2件を送信中 30%')
})

test('nothing goes on by itself while all of it is paused', () => {
  const paused = delivery({ status: { is: 'paused' } })
  expect(promiseOf([paused], 'background')).toBe('再開すると、続きから送信します')
  expect(promiseOf([paused, delivery()], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('a post refused for want of an identity check leads to the check; an identity check itself does not', () => {
  const status = { is: 'failed', code: 'identity_required', fields: {} } as const
  expect(wantsIdentity(delivery({ status }))).toBe(true)
  expect(reasonOf(delivery({ status }))).toContain('本人確認が必要です')
  expect(wantsIdentity(delivery({ kind: 'identity', status }))).toBe(false)
  expect(wantsIdentity(delivery({ status: { ...status, code: 'too_large' } }))).toBe(false)
})

test('while it waits for the network nothing is said of sending on by itself now', () => {
  const waiting = delivery({ status: { is: 'waiting', until: 0 }, percent: 0 })
  expect(lineOf(waiting)).toBe('接続を待っています')
  expect(lineOf({ ...waiting, files: [file()], percent: 42 })).toBe('接続を待っています 42%')
  expect(promiseOf([waiting], 'background')).toBe('接続が戻ると、アプリを閉じていても送信します')
  expect(promiseOf([waiting], 'open')).toBe('接続が戻ると、アプリを開いている間に送信します')
  expect(promiseOf([waiting, delivery()], 'background')).toBe('アプリを閉じても続きから送信します')
})

test('what the same bytes would meet again is not offered to be sent again', () => {
  const failed = (code: string) => delivery({ status: { is: 'failed', code, fields: {} } as never })
  for (const code of ['too_large', 'unsupported_media', 'invalid']) {
    expect(mayRetry(failed(code))).toBe(false)
    expect(hintOf([failed(code)], 'background')).toBe('開いて、理由を確認できます')
  }
  for (const code of ['internal', 'unavailable', 'forbidden', 'conflict', 'no_post_id']) {
    expect(mayRetry(failed(code))).toBe(true)
    expect(hintOf([failed(code)], 'background')).toBe('開いて、もう一度送信できます')
  }
})
