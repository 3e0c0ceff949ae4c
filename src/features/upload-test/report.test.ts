// The results of a measurement, on the screen and for support.
import { expect, test } from 'vitest'
import type { Abilities } from './abilities.ts'
import { abilityRows, median, reportText, resultRows, type Measured } from './report.ts'

const MiB = 1024 * 1024
const measured: Measured = {
  is: 'done',
  ms: 8000,
  sent: 16 * MiB,
  size: 16 * MiB,
  retries: 2,
  removed: true,
  at: Date.parse('2026-03-05T03:30:00Z'),
  roundTrip: 41.6,
}
const abilities: Abilities = {
  worker: true,
  backgroundSync: false,
  push: true,
  notifications: 'denied',
  storage: { persisted: false, quota: 2048 * MiB, used: 3 * MiB },
}

test.each([
  [[], null],
  [[3], 3],
  [[9, 1, 5], 5],
  [[9, 1, 5, 7], 5],
])('the median of %o is %s', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('figures carry their units', () => {
  expect(resultRows(measured)).toEqual([
    ['結果', 'すべて届きました。'],
    ['送信量', '16.00MB / 16.00MB'],
    ['かかった時間', '8秒'],
    ['速度', '2.00MB/秒'],
    ['再送', '2回'],
    ['応答時間', '42ミリ秒'],
  ])
})

test('a missing measurement is stated, not shown as zero', () => {
  const rows = Object.fromEntries(resultRows({ ...measured, is: 'failed', sent: 0, roundTrip: null }))
  expect(rows).toMatchObject({ 速度: '測定できませんでした', 応答時間: '測定できませんでした' })
})

test('the report for support holds the figures, the abilities and the browser', () => {
  const text = reportText(measured, abilities, 'Browser/1.0')
  expect(text.split('\n')).toEqual([
    '通信テスト',
    '測定日時：2026年3月5日 12:30',
    ...[...resultRows(measured), ...abilityRows(abilities)].map((row) => row.join('：')),
    'ブラウザー：Browser/1.0',
  ])
  expect(text).toContain('アプリを閉じたあとの送信（Background Sync）：使えません')
  expect(text).toContain('通知の許可：許可されていません')
  expect(text).toContain('保存できる容量：3.00MB 使用中 / 2,048.00MB')
})
