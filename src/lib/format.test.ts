// Numbers, sizes, money and times as Japanese text.
import { describe, expect, test } from 'vitest'
import {
  date,
  dateTime,
  isoDay,
  megabytes,
  monthDay,
  number,
  playingTime,
  relative,
  remaining,
  storageSize,
  yen,
} from './format.ts'

const at = (text: string) => Date.parse(text)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('numbers', () => {
  test('thousands have commas and there are at most three decimals', () => {
    expect(number(1234567)).toBe('1,234,567')
    expect(number(1.23456)).toBe('1.235')
    expect(number(1e21)).toBe('1,000,000,000,000,000,000,000')
    expect(number(0)).toBe('0')
    expect(number(-0)).toBe('0')
    expect(number(-450)).toBe('−450')
    expect(number(-1234567)).toBe('−1,234,567')
  })
  test('numbers are written as the browser writes them in Japanese', () => {
    for (const it of [7, 12, 999, 1000, 1234.5678, 0.1, 1_000_000.0004, 9_007_199_254_740_991])
      expect(number(it)).toBe(it.toLocaleString('ja-JP', { maximumFractionDigits: 3 }))
  })
  test('an amount of money has its unit', () => {
    expect(yen(1000)).toBe('1,000円')
    expect(yen(50_000)).toBe('50,000円')
  })
  test('storage is megabytes below a gigabyte, and gigabytes with one decimal above', () => {
    expect(storageSize(12.34 * 1024 ** 2)).toBe('12.34MB')
    expect(storageSize(12.34 * 1024 ** 3)).toBe('12.3GB')
    expect(storageSize(100 * 1024 ** 3)).toBe('100GB')
  })

  test('sizes are megabytes with two decimals', () => {
    expect(megabytes(0)).toBe('0.00MB')
    expect(megabytes(5 * 1024 * 1024)).toBe('5.00MB')
    expect(megabytes(12_939_428)).toBe('12.34MB')
    expect(megabytes(1024 ** 3)).toBe('1,024.00MB')
  })
})

describe('times', () => {
  test('a time is shown in the time zone of Tokyo on every device', () => {
    expect(dateTime(at('2026-03-05T03:30:00Z'))).toBe('2026年3月5日 12:30')
    expect(dateTime(at('2026-03-05T15:05:00Z'))).toBe('2026年3月6日 00:05')
    expect(monthDay(at('2025-12-31T15:00:00Z'))).toBe('1月1日')
    expect(date(at('2025-12-31T15:00:00Z'))).toBe('2026年1月1日')
    expect(date(at('2028-02-28T15:00:00Z'))).toBe('2028年2月29日')
  })
  test('a recent time is shown as the time since then', () => {
    const now = at('2026-03-05T03:30:00Z')
    expect(relative(now, now)).toBe('たった今')
    expect(relative(now - 59_999, now)).toBe('たった今')
    expect(relative(now - MINUTE, now)).toBe('1分前')
    expect(relative(now - 59 * MINUTE, now)).toBe('59分前')
    expect(relative(now - HOUR, now)).toBe('1時間前')
    expect(relative(now - HOUR - 59_999, now)).toBe('1時間前')
    expect(relative(now - 3 * HOUR - 5 * MINUTE, now)).toBe('3時間5分前')
    expect(relative(now - 23 * HOUR - 59 * MINUTE - 59_999, now)).toBe('23時間59分前')
    expect(relative(now - 23 * HOUR, now)).toBe('23時間前')
  })
  test('a time in the future is shown as now', () => {
    expect(relative(2000, 1000)).toBe('たった今')
  })
  test('a time of another day is shown as yesterday, a date, or a date with its year', () => {
    const now = at('2026-03-05T14:00:00Z')
    expect(relative(at('2026-03-04T13:00:00Z'), now)).toBe('昨日')
    expect(relative(at('2026-03-03T14:59:00Z'), now)).toBe('3月3日')
    expect(relative(at('2025-12-31T14:59:00Z'), now)).toBe('2025年12月31日')
  })
})

describe('durations', () => {
  test('a remaining time is rounded up', () => {
    expect(remaining(1)).toBe('約5秒')
    expect(remaining(41)).toBe('約45秒')
    expect(remaining(61)).toBe('約2分')
    expect(remaining(3600)).toBe('約1時間')
    expect(remaining(3601)).toBe('約1時間1分')
  })
  test('the seconds of the last step do not become sixty', () => {
    expect(remaining(58)).toBe('約1分')
  })
  test('the length of a video is shown in minutes and seconds', () => {
    expect(playingTime(5)).toBe('0:05')
    expect(playingTime(185)).toBe('3:05')
    expect(playingTime(3723)).toBe('1:02:03')
  })
})

test('the day of a request or file changes at midnight in Tokyo', () => {
  const midnight = Date.parse('2026-10-31T15:00:00Z')
  expect([isoDay(midnight - 1), isoDay(midnight)]).toEqual(['2026-10-31', '2026-11-01'])
})
